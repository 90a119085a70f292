/** The code of an error of the system, for example `ENOENT`. Undefined if the value has none. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether the system reports that a file does not exist. */
export function isFileMissing(error: unknown): boolean {
  return systemCodeOf(error) === "ENOENT";
}
