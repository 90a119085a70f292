/** Terminals as an editor has them: real processes whose output it keeps, waits for and kills. */
import { type ChildProcess, spawn } from "node:child_process";

interface EditorTerminal {
  readonly child: ChildProcess;
  output: string;
  readonly exit: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  isReleased: boolean;
}

export interface EditorTerminals {
  create(params: {
    readonly command: string;
    readonly args?: readonly string[];
    readonly cwd?: string | null;
    readonly env?: readonly { readonly name: string; readonly value: string }[];
  }): { readonly terminalId: string };
  output(terminalId: string): { readonly output: string; readonly truncated: boolean };
  exit(terminalId: string): EditorTerminal["exit"];
  kill(terminalId: string): void;
  release(terminalId: string): void;
  /** Those that the agent did not give back. */
  readonly unreleased: readonly string[];
}

/** `seen` is called with every output that the agent gets. */
export function createEditorTerminals(seen: (output: string) => void = () => undefined) {
  const terminals = new Map<string, EditorTerminal>();
  const named = (terminalId: string): EditorTerminal => {
    const terminal = terminals.get(terminalId);
    if (!terminal || terminal.isReleased) throw new Error(`there is no terminal ${terminalId}`);
    return terminal;
  };
  const all: EditorTerminals = {
    create({ command, args = [], cwd, env = [] }) {
      const stdio = ["ignore", "pipe", "pipe"] as const;
      const child = spawn(command, [...args], {
        ...{ stdio: [...stdio], detached: true, ...(cwd ? { cwd } : {}) },
        env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
      });
      const exit: EditorTerminal["exit"] = new Promise((resolve) => {
        child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
      });
      const terminal: EditorTerminal = { child, output: "", exit, isReleased: false };
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (chunk: Buffer) => {
          terminal.output += chunk.toString("utf8");
        });
      }
      const terminalId = `editor-terminal-${terminals.size + 1}`;
      terminals.set(terminalId, terminal);
      return { terminalId };
    },
    output(terminalId) {
      const { output } = named(terminalId);
      seen(output);
      return { output, truncated: false };
    },
    exit: (terminalId) => named(terminalId).exit,
    kill(terminalId) {
      const { pid } = named(terminalId).child;
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    },
    release(terminalId) {
      named(terminalId).isReleased = true;
    },
    get unreleased() {
      return [...terminals].flatMap(([id, { isReleased }]) => (isReleased ? [] : [id]));
    },
  };
  return all;
}
