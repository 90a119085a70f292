/**
 * A server in a process of its own, whose model is the bench's provider: `server-cli.js <provider url> [database url]`.
 * Without a database it keeps its logs in the embedded one. Asked for `cpu`, it says what CPU it has used; asked for
 * `door`, it reads the provider by the door alone and says what that took.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../../packages/server/dist/index.js";
import { readDoor } from "../sdk/contenders/callboard.js";

const [url = "", databaseUrl] = process.argv.slice(2);
const home = await mkdtemp(join(tmpdir(), "callboard-bench-"));
const ignore = () => {};
const server = await startServer({
  port: 0,
  home,
  ...(databaseUrl === undefined ? {} : { databaseUrl }),
  env: { OPENAI_BASE_URL: `${url}/v1` },
  agents: { default: { model: "openai:bench", tools: [] } },
  limits: { requestsPerMinute: undefined, readBytesPerMinute: undefined },
  logger: { debug: ignore, info: ignore, warn: ignore, error: console.error },
});

process.on("message", async (asked) => {
  if (asked === "door") {
    const before = process.cpuUsage();
    await readDoor({ url, kind: "text", dialect: "openai" });
    process.send?.(microseconds(process.cpuUsage(before)));
    return;
  }
  process.send?.(microseconds(process.cpuUsage()));
});
process.once("disconnect", async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
  process.exit(0);
});
process.send?.({ url: server.url, token: server.token });

/** @param {NodeJS.CpuUsage} usage */
function microseconds({ user, system }) {
  return user + system;
}
