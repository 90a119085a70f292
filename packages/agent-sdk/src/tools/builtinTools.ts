/**
 * The tools that every agent has, made for one working folder. Delegating to another agent is none
 * of them: it needs the loop.
 */
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../types/clock.js";
import type { ToolDefinition } from "../types/tools.js";
import { createEditFileTool } from "./editFile.js";
import { createJsonFileMemoryStore } from "./jsonFileMemoryStore.js";
import { createListFilesTool } from "./listFiles.js";
import { createMemoryTool } from "./memory.js";
import { createInMemoryStore, type MemoryStore } from "./memoryStore.js";
import { createReadFileTool } from "./readFile.js";
import { createSearchFilesTool } from "./searchFiles.js";
import { createShellTool } from "./shell.js";
import { createTodoTool } from "./todo.js";
import { createWebFetchTool } from "./webFetch.js";
import { createWriteFileTool } from "./writeFile.js";

export interface BuiltinToolOptions {
  /** The folder that titles and approvals name paths from; calls run in that of their context. */
  readonly workdir: string;
  readonly additionalDirectories?: readonly string[];
  /** The maximum of an output for the model. Default 30,000. */
  readonly maxOutputChars?: number;
  /** Where the memory is kept and, in `outputs`, whole outputs. Default: nowhere for long. */
  readonly home?: string;
  /** Where whole outputs are kept; a session reads its own from there. */
  readonly outputFolder?: string;
  /** Default: a file in `home`; without `home`, as long as the process lives. */
  readonly memory?: MemoryStore;
  /** The environment of commands. Default: ours. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Pick<Clock, "now">;
}

/** Creates the built-in tools for a folder. */
export function createBuiltinTools(options: BuiltinToolOptions): readonly ToolDefinition[] {
  const {
    workdir,
    additionalDirectories = [],
    maxOutputChars = 30_000,
    home,
    outputFolder = join(home ?? join(tmpdir(), `callboard-${randomUUID()}`), "outputs"),
    memory = home === undefined
      ? createInMemoryStore()
      : createJsonFileMemoryStore(join(home, "memory.json")),
    env = process.env,
    clock = Date,
  } = options;
  const folders = { workdir, additionalDirectories };
  const reading = { ...folders, maxOutputChars, outputFolder };
  return [
    createReadFileTool(reading),
    createWriteFileTool(folders),
    createEditFileTool(folders),
    createListFilesTool(folders),
    createSearchFilesTool(reading),
    createShellTool({ maxOutputChars, outputFolder, env }),
    createWebFetchTool({ maxOutputChars, outputFolder }),
    createMemoryTool({ store: memory, now: () => clock.now() }),
    createTodoTool(),
  ];
}
