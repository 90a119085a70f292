/** An unvalidated JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
