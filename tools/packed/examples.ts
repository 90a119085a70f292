/** The examples of the documents, as files that run in a user's project. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { run } from "./processes.js";
import { writeProject } from "./strangersProject.js";

export interface Example {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly [program: string, ...args: string[]];
  /** Standard output must hold it. */
  readonly shows: string;
}

export function examples(root: string): readonly Example[] {
  const [agent = "", checker = ""] = snippetsOf(join(root, "README.md"));
  const [tool = ""] = snippetsOf(join(root, "packages/agent-sdk/README.md"));
  const [suite = ""] = snippetsOf(join(root, "packages/testkit/README.md"));
  const recorded = readFileSync(
    join(root, "packages/testkit/lives/read-file.tool-event.jsonl"),
    "utf8",
  );
  return [
    {
      name: "the agent of README.md, with the rehearsal in place of a model",
      // A real model needs a key.
      files: {
        "agent.mjs": inJavaScript(agent.replace("anthropic:claude-sonnet-4-5", "rehearsal")),
      },
      command: ["node", "agent.mjs"],
      shows: "ok",
    },
    {
      name: "the checker of README.md",
      files: { "checker.mjs": inJavaScript(checker), "recorded.ndjson": recorded },
      command: ["node", "checker.mjs"],
      shows: "toolEvent: 1 calls",
    },
    {
      name: "the tool of packages/agent-sdk/README.md",
      files: { "tool.mjs": inJavaScript(tool) },
      command: ["node", "tool.mjs"],
      shows: "ok",
    },
    {
      name: "the suite of packages/testkit/README.md",
      // Without a configuration of its own, the project would take one of a folder above.
      files: { "store.test.ts": suite, "vitest.config.mjs": "export default {};\n" },
      command: ["npx", "vitest", "run", "--no-color", "store.test.ts"],
      shows: "1 passed",
    },
    {
      name: "the program",
      files: {},
      command: ["npx", "callboard", "-p", "hello"],
      shows: "ehears",
    },
  ];
}

/** Its own home and no keys: what the reader has is left alone. */
export async function runExample(example: Example, project: string): Promise<void> {
  writeProject(project, example.files);
  const home = join(project, "home");
  mkdirSync(home, { recursive: true });
  const [program, ...args] = example.command;
  const env = { PATH: process.env.PATH, HOME: home, CALLBOARD_HOME: home };
  const shown = await run(program, args, project, env);
  if (shown.includes(example.shows)) return;
  throw new Error(`${example.name} ran, but does not show "${example.shows}":\n${shown}`);
}

function snippetsOf(paper: string): readonly string[] {
  const found = readFileSync(paper, "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm);
  return [...found].map(([, code = ""]) => code);
}

function inJavaScript(code: string): string {
  return transformSync(code, { loader: "ts", format: "esm" }).code;
}
