/**
 * `callboard doctor`: checks that need no network: the Node version, the home, the sessions, the settings, the model and
 * its key, the terminal. Every problem has a remedy.
 */

import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { callboardHome, resolveModel, systemClock } from "@callboard/agent-sdk";
import { openMcpServers } from "@callboard/agent-sdk/mcp";
import { messageOfError } from "@callboard/run-log/values";
import { type Style, span } from "../door/spans.js";
import { cleanText } from "../door/terminalText.js";
import { exitCodes } from "../headless/exitCodes.js";
import { createLineLogger } from "../run/lineLogger.js";
import { storeOf } from "../sessions/sessionsActions.js";
import { readSettings } from "../settings/readSettings.js";
import { countText } from "../view/quantities.js";
import type { World } from "../world.js";

interface Finding {
  readonly status: "ok" | "warning" | "broken";
  readonly message: string;
}

type Examination = (world: World) => Promise<Finding>;

const examinations: Readonly<Record<string, Examination>> = {
  node: async () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const isNew = major > 20 || (major === 20 && minor >= 19);
    const message = `Node ${process.versions.node}`;
    return isNew ? ok(message) : broken(`${message} is too old: install 20.19 or newer`);
  },
  home: async ({ env }) => {
    const home = callboardHome(env);
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(`${home} can be written`);
  },
  sessions: async (world) => {
    const sessions = await storeOf(world).list();
    const odd = sessions.filter(({ warning }) => warning !== undefined);
    const count = countText(sessions.length, "session");
    const [first] = odd;
    if (first === undefined) return ok(count);
    return { status: "warning", message: `${count}; ${first.sessionId}: ${first.warning}` };
  },
  settings: async ({ env, cwd }) => {
    const { ignored, projectFile } = await readSettings({ env, cwd, flags: {} });
    if (ignored.length === 0) return ok("they can be read");
    const names = ignored.join(", ");
    return {
      status: "warning",
      message: `ignored settings in ${projectFile}: ${names}. The folder is not trusted; see config --help`,
    };
  },
  model: async ({ env, cwd }) => {
    const { settings } = await readSettings({ env, cwd, flags: {} });
    const { label, isRehearsal } = resolveModel(settings.model, env);
    if (!isRehearsal) return ok(`${label}, its key is set`);
    return { status: "warning", message: `${label}: set CALLBOARD_MODEL and a key for a real one` };
  },
  "MCP servers": async ({ env, cwd, door }) => {
    const { settings } = await readSettings({ env, cwd, flags: {} });
    const count = Object.keys(settings.mcpServers).length;
    if (count === 0) return ok("none are configured");
    const logger = createLineLogger(door.err.line);
    const servers = await openMcpServers(settings.mcpServers, { env, clock: systemClock, logger });
    try {
      const failed = servers.status().filter(({ status }) => status !== "connected");
      const [first] = failed;
      if (first === undefined) return ok(`${countText(count, "server")} answered`);
      return broken(`${first.name} cannot be used: ${first.reason ?? first.status}`);
    } finally {
      await servers.close();
    }
  },
  terminal: async ({ door, env }) => {
    const { isRich, hasColour, hasMotion } = door.capabilities;
    const kind = door.out.isTerminal ? `${env.TERM ?? "unknown"} terminal` : "no terminal";
    const has = [
      isRich ? "live rows" : "plain lines",
      hasColour ? "colour" : "no colour",
      hasMotion ? "motion" : "no motion",
    ];
    return ok(`${kind}: ${has.join(", ")}`);
  },
};

function ok(message: string): Finding {
  return { status: "ok", message };
}

function broken(message: string): Finding {
  return { status: "broken", message };
}

const looks: Readonly<Record<Finding["status"], readonly [string, Style]>> = {
  ok: ["✓ ok     ", "good"],
  warning: ["! warning", "warn"],
  broken: ["✗ broken ", "bad"],
};

export async function examine(world: World, { json }: { readonly json: boolean }): Promise<number> {
  let exitCode: number = exitCodes.ok;
  for (const [name, examination] of Object.entries(examinations)) {
    const found = await examination(world).catch((error: unknown) => broken(messageOfError(error)));
    if (found.status === "broken") exitCode = exitCodes.failed;
    if (json) {
      world.door.out.json({ name, ...found });
      continue;
    }
    const [word, style] = looks[found.status];
    world.door.out.line([
      span(`${word} `, style),
      span(`${name}: `, "bold"),
      span(cleanText(found.message)),
    ]);
  }
  return exitCode;
}
