import type { Mutant } from "./mutant.js";

const src = "packages/code/src";

export const code: readonly Mutant[] = [
  {
    bug: "a C1 control sequence of a tool reaches the terminal as text",
    file: `${src}/door/terminalText.ts`,
    find: '  "\\u009b": "csi",\n',
    replace: "",
    tests: [`${src}/door/terminalText.test.ts`],
  },
  {
    bug: "a carriage return lets a tool overwrite its line",
    file: `${src}/door/terminalText.ts`,
    find: 'return next === "\\n" ? "" : "\\n";',
    replace: 'return "\\r";',
    tests: [`${src}/door/terminalText.test.ts`],
  },
  {
    bug: "a control string that is never closed hides the rest of the text",
    file: `${src}/door/terminalText.ts`,
    find: 'return isLineEnd ? ground(character) : { next: "string", text: "" };',
    replace: 'return { next: "string", text: "" };',
    tests: [`${src}/door/terminalText.test.ts`],
  },
  {
    bug: "characters that reorder text are dropped where somebody has to judge it",
    file: `${src}/door/terminalText.ts`,
    find: "if (reordering.test(character)) return nameOf(character);",
    replace: 'if (reordering.test(character)) return "";',
    tests: [`${src}/door/terminalText.test.ts`],
  },
  {
    bug: "lines of JSON carry characters that reorder text",
    file: `${src}/door/jsonLine.ts`,
    find: "\\u2028-\\u202e",
    replace: "\\u2028-\\u2029",
    tests: [`${src}/door/outlet.test.ts`, `${src}/headless/streamJson.test.ts`],
  },
  {
    bug: "text of two columns is counted as one",
    file: `${src}/door/textWidth.ts`,
    find: "wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1",
    replace: "1",
    tests: [`${src}/door/textWidth.test.ts`],
  },
  {
    bug: "a user's file decides over a flag",
    file: `${src}/settings/layers.ts`,
    find: "layers.find(({ values }) => values[name] !== undefined)",
    replace: "layers.findLast(({ values }) => values[name] !== undefined)",
    tests: [`${src}/settings/readSettings.test.ts`],
  },
  {
    bug: "a deny rule of the user's file is dropped when the project has rules",
    file: `${src}/settings/layers.ts`,
    find: "...new Set(layers.flatMap(({ values }) => values[name] ?? [])),",
    replace: "...new Set(layers.find(({ values }) => values[name])?.values[name] ?? []),",
    tests: [`${src}/settings/readSettings.test.ts`],
  },
  {
    bug: "an event that was not stored is shown",
    file: `${src}/run/watchedStore.ts`,
    find: '      if (appended.status !== "appended") return appended;\n',
    replace: "",
    tests: [`${src}/run/watchedStore.test.ts`],
  },
  {
    bug: "an error of the screen ends the run",
    file: `${src}/run/watchedStore.ts`,
    find: 'logger.error("an event could not be shown", { type, seq, error: String(error) });',
    replace: "throw error;",
    tests: [`${src}/run/watchedStore.test.ts`],
  },
  {
    bug: "backspace removes half of a character that is made of several",
    file: `${src}/interactive/editor.ts`,
    find: "return cursor - (last?.length ?? 0);",
    replace: "return cursor - Math.min(1, last?.length ?? 0);",
    tests: [`${src}/interactive/editor.test.ts`],
  },
  {
    bug: "output goes on to a reader that has gone",
    file: `${src}/door/outlet.ts`,
    find: 'if (text === "" || broken.signal.aborted) return;',
    replace: 'if (text === "") return;',
    tests: [`${src}/door/outlet.test.ts`],
  },
  {
    bug: "printCLI prints streamed words again when they are whole",
    file: "packages/code/src/headless/printedAgent.ts",
    find: "    printed += text.length;\n",
    replace: "",
    tests: ["packages/code/src/printCLI.test.ts"],
  },
  {
    bug: "printCLI prints nothing of an answer that came whole",
    file: "packages/code/src/headless/printedAgent.ts",
    find: "if (length > printed) print(",
    replace: "if (length < printed) print(",
    tests: ["packages/code/src/printCLI.test.ts"],
  },
];
