/** A user's program and page, compiled against the packages that their project has, without `skipLibCheck`. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entriesOf, publishedPackages } from "./packages.js";
import { writeProject } from "./strangersProject.js";

export interface CompileSettings {
  /** How the compiler finds packages. */
  readonly way: "node16" | "bundler";
  readonly react: 18 | 19;
  /** With a program that imports every entry, in Node; otherwise the page alone, without the types of Node. */
  readonly hasProgram: boolean;
}

const ways = {
  node16: { module: "node16", moduleResolution: "node16" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

/** The page of docs/client.md. */
function pageOf(root: string): string {
  const paper = readFileSync(join(root, "docs/client.md"), "utf8");
  const [, page] = /^```tsx\n([\s\S]*?)^```$/m.exec(paper) ?? [];
  if (page === undefined) throw new Error("docs/client.md has no page in React.");
  return page;
}

/** The output of the compiler; empty if there are no errors. */
export function compiledProject(root: string, project: string, settings: CompileSettings): string {
  const { way, react, hasProgram } = settings;
  const types = join(root, "node_modules", react === 18 ? "types-react-18" : "@types/react");
  const config = {
    compilerOptions: {
      ...ways[way],
      target: "es2022",
      lib: ["es2023", "dom", "dom.iterable"],
      types: hasProgram ? ["node"] : [],
      strict: true,
      skipLibCheck: false,
      // The libraries of the compiler itself are not ours to check.
      skipDefaultLibCheck: true,
      noEmit: true,
      jsx: "react-jsx",
      paths: {
        react: [join(types, "index.d.ts")],
        "react/jsx-runtime": [join(types, "jsx-runtime.d.ts")],
      },
    },
    files: hasProgram ? ["page.tsx", "program.ts"] : ["page.tsx"],
  };
  writeProject(project, {
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify(config),
    "page.tsx": pageOf(root),
    "program.ts": programOf(root),
  });
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout, stderr } = spawnSync(tsc, ["-p", "."], { cwd: project, encoding: "utf8" });
  return stdout + stderr;
}

function programOf(root: string): string {
  const entries = publishedPackages(root).flatMap(({ manifest }) => entriesOf(manifest, "types"));
  const lines = entries.map(
    ({ specifier }, place) => `import * as all${place} from "${specifier}";`,
  );
  const names = entries.map((_, place) => `all${place}`);
  return [...lines, `export const all = [${names.join(", ")}];`, ""].join("\n");
}
