/** The test server on stdin and stdout. `--deaf` never answers; `--stubborn` outlives its stdin. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createTestServer } from "./testServer.js";

const flags = new Set(process.argv.slice(2));
if (flags.has("--deaf") || flags.has("--stubborn")) setInterval(() => {}, 1_000);
if (flags.has("--stubborn")) process.on("SIGTERM", () => {});
if (!flags.has("--deaf")) await createTestServer().connect(new StdioServerTransport());
