/**
 * The position of a reader: everything up to and including position `seq`, and the first `lines` lines of the position
 * after it. Written `12`, or `12.1`. docs/http.md documents it for readers.
 */
export interface Cursor {
  readonly seq: number;
  readonly lines: number;
}

export const beginning: Cursor = { seq: 0, lines: 0 };

const form = /^(\d{1,15})(?:\.(\d{1,6}))?$/;

/** Undefined if the text is not a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, seq, lines = "0"] = form.exec(text) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), lines: Number(lines) };
}

export function formatCursor({ seq, lines }: Cursor): string {
  return lines === 0 ? `${seq}` : `${seq}.${lines}`;
}
