/** Where a page ends, for those that are ordered by time: the time and the id of its last row. */
import { PageMarkError } from "../errors.js";

export interface PageMark {
  readonly at: Date;
  readonly id: string;
}

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)_([0-9a-f-]{36})$/;

export function formatPageMark({ at, id }: PageMark): string {
  return `${at.toISOString()}_${id}`;
}

/** `field` names the parameter for the error. */
export function parsePageMark(text: string | undefined, field: string): PageMark | undefined {
  if (text === undefined) return undefined;
  const [, time = "", id = ""] = form.exec(text) ?? [];
  const at = new Date(time);
  if (id === "" || Number.isNaN(at.getTime())) throw new PageMarkError(field);
  return { at, id };
}
