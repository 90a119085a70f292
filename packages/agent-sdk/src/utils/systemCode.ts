/** How the system names what failed: `ENOENT`, `EEXIST`. It judges nothing. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
