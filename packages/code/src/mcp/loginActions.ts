/** `callboard mcp login` and `logout`: who this person is to an MCP server. */
import { join } from "node:path";
import { callboardHome, type McpServerConfig, systemClock } from "@callboard/agent-sdk";
import {
  createFileLogins,
  logInAtMcpServer,
  loginFileName,
  logOutAtMcpServer,
  type McpLogins,
} from "@callboard/agent-sdk/mcp";
import { lineOf } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { readSettings } from "../settings/readSettings.js";
import { UsageError } from "../usageError.js";
import type { World } from "../world.js";

/** The server of that name in the settings of this folder. */
async function configured({ env, cwd }: World, name: string): Promise<McpServerConfig> {
  const { settings } = await readSettings({ env, cwd, flags: {}, mcpConfigs: [] });
  const config = settings.mcpServers[name];
  if (config !== undefined) return config;
  const names = Object.keys(settings.mcpServers).join(", ") || "none";
  throw new UsageError(`There is no MCP server ${name} in the settings. There are: ${names}.`);
}

function loginsOf({ env }: World): McpLogins {
  return createFileLogins(join(callboardHome(env), loginFileName));
}

export async function logIn(world: World, name: string): Promise<void> {
  const config = await configured(world, name);
  const { env, door } = world;
  const stop = new AbortController();
  const deaf = world.onSignal(() => stop.abort());
  try {
    await logInAtMcpServer(name, config, {
      ...{ logins: loginsOf(world), clock: systemClock, env, signal: stop.signal },
      visit(url) {
        door.out.line(lineOf("Open this address in a browser on this machine, and agree there:"));
        door.out.line(lineOf(exactText(url)));
      },
    });
  } finally {
    deaf();
  }
  door.out.line(lineOf(`You are logged in at the MCP server ${name}.`));
}

export async function logOut(world: World, name: string): Promise<void> {
  const config = await configured(world, name);
  const isOut = await logOutAtMcpServer(config, { logins: loginsOf(world), env: world.env });
  const said = isOut ? "The login is forgotten." : "There was no login.";
  world.door.out.line(lineOf(`${said} (MCP server ${name})`));
}
