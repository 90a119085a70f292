/**
 * The proxy's code: the one file that the build makes of it, which starts sooner, or its modules. In a clone the
 * modules may have been compiled since; then the file is old and is left alone.
 */
import { statSync } from "node:fs";

type ProxyModule = typeof import("./proxyAction.js");

/** The file that the compiler writes whenever it has compiled a package; a published package has none. */
const compiled = ["code", "acp", "agent-sdk", "run-log"].map(
  (name) => `../../../${name}/tsconfig.tsbuildinfo`,
);

export async function loadProxy(): Promise<ProxyModule> {
  const bundle = new URL("./proxyBundle.js", import.meta.url);
  const parts = compiled.map((path) => new URL(path, import.meta.url));
  return isNewest(bundle, parts) ? await import(bundle.href) : await import("./proxyAction.js");
}

/** Whether the file is there and none of the others was written after it. */
export function isNewest(file: URL, others: readonly URL[]): boolean {
  const written = writtenAt(file);
  if (written === undefined) return false;
  return others.every((other) => (writtenAt(other) ?? 0) <= written);
}

function writtenAt(file: URL): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}
