/** Every command beside running a prompt. A new one joins here, and in nothing else. */
import { acpCommand, acpProxyCommand } from "./acp.js";
import { checkCommand } from "./check.js";
import type { CommandEntry } from "./commandEntry.js";
import { completionCommand } from "./completion.js";
import { configCommand } from "./config.js";
import { dbCommand } from "./db.js";
import { doctorCommand } from "./doctor.js";
import { importCommand } from "./import.js";
import { mcpCommand } from "./mcp.js";
import { replayCommand } from "./replay.js";
import { serveCommand } from "./serve.js";
import { sessionsCommand } from "./sessions.js";
import { watchCommand } from "./watch.js";

export const commandTable: readonly CommandEntry[] = [
  sessionsCommand,
  replayCommand,
  checkCommand,
  importCommand,
  watchCommand,
  serveCommand,
  acpCommand,
  acpProxyCommand,
  mcpCommand,
  dbCommand,
  configCommand,
  doctorCommand,
  completionCommand,
];
