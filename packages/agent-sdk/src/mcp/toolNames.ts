/**
 * The names under which the tools of servers are known to models: `mcp__<server>__<tool>`. Providers
 * take letters, digits, `_` and `-`, 64 at most; a name that had to be changed or cut and then meets
 * another one gets a mark of its own. The server's own name is kept beside it and never guessed back.
 */
import { createHash } from "node:crypto";

const longest = 64;
const markLength = 8;

/** Adds the name to `taken`. The same server and tool get the same name, whatever came before. */
export function toolNameOf(server: string, tool: string, taken: Set<string>): string {
  const wanted = `mcp__${cleaned(server)}__${cleaned(tool)}`;
  const name = wanted.length > longest || taken.has(wanted) ? marked(wanted, server, tool) : wanted;
  taken.add(name);
  return name;
}

const cleaned = (text: string): string => text.replace(/[^A-Za-z0-9_-]/g, "_") || "_";

function marked(wanted: string, server: string, tool: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex");
  return `${wanted.slice(0, longest - markLength - 1)}_${digest.slice(0, markLength)}`;
}
