/** `callboard serve`: starts the server, prints its address, and ends it on a signal. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { callboardHome } from "@callboard/agent-sdk";
import { withoutUndefined } from "@callboard/run-log/values";
import { type RunningServer, startServer } from "@callboard/server";
import { ForeignDatabaseError } from "@callboard/store";
import { lineOf } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { exitCodes, signalCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { UsageError } from "../usageError.js";
import type { StopSignal, World } from "../world.js";

export interface ServeFlags {
  readonly port: string;
  readonly host: string;
  readonly home?: string;
  readonly migrate: boolean;
  readonly allow?: readonly string[];
}

export async function serve(world: World, flags: ServeFlags): Promise<number> {
  const { door, env, cwd } = world;
  const { host, home, allow } = flags;
  const port = Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port is a number from 0 to 65535, not ${JSON.stringify(flags.port)}`);
  }
  let stop: (signal: StopSignal) => void = () => undefined;
  const stopped = new Promise<StopSignal>((told) => {
    stop = told;
  });
  const off = world.onSignal((signal) => stop(signal));
  const pageFolder = builtPage();
  const folder = home === undefined ? callboardHome(env) : resolve(cwd, home);
  const start = (migrates: boolean): Promise<RunningServer> =>
    startServer({
      host,
      port,
      env,
      workdir: cwd,
      logger: createLineLogger(door.err.line),
      home: folder,
      extraMetrics: async () => (await import("@callboard/acp")).acpMetricsText(folder),
      ...withoutUndefined({ allow, pageFolder }),
      ...(migrates ? { migrates } : {}),
    });
  const server = await start(flags.migrate).catch(async (error: unknown) => {
    if (!(error instanceof ForeignDatabaseError) || !(await mayMigrate(world, error))) throw error;
    return await start(true);
  });
  door.out.line(lineOf(server.url));
  if (server.token !== undefined) {
    const board = `${server.url}/?token=${server.token}`;
    if (pageFolder !== undefined) door.err.line(lineOf(`Open the board: ${board}`));
    door.err.line(
      lineOf(`The access token is stored in ${exactText(join(folder, "server.json"))}.`, "dim"),
    );
  }
  const signal = await stopped;
  off();
  await server.close();
  return signal === "SIGHUP" ? signalCodes[signal] : exitCodes.ok;
}

/** Asks at a terminal; elsewhere that is not possible, and the error contains what to do. */
async function mayMigrate(
  { stdin, door }: World,
  { message }: ForeignDatabaseError,
): Promise<boolean> {
  if (stdin.isTTY !== true) return false;
  door.err.line(lineOf(`${message}.`));
  door.err.line(lineOf("Add Callboard's tables to this database now? [y/N]"));
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return /^\s*y(es)?\s*$/i.test(line);
    return false;
  } finally {
    lines.close();
  }
}

/** The folder of the built board; absent in a clone without a build. */
function builtPage(): string | undefined {
  const folder = fileURLToPath(new URL("dist", import.meta.resolve("@callboard/web/package.json")));
  return existsSync(folder) ? folder : undefined;
}
