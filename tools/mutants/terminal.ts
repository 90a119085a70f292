/** Planted bugs of what people see and do in the terminal. */
import type { Mutant } from "./mutant.js";

export const terminal: readonly Mutant[] = [
  {
    bug: "a marker without its other half is hidden",
    file: "packages/code/src/view/markdown/inlineMarkdown.ts",
    find: 'if (pair === "none") put(found, end);\n      else {',
    replace: "{",
    tests: ["packages/code/src/view/proseWriter.test.ts"],
  },
  {
    bug: "Markdown looks different in other pieces",
    file: "packages/code/src/view/markdown/inlineMarkdown.ts",
    find: 'return isWhole || source.length - from > reach + marker.length ? "none" : "undecided";',
    replace: 'return "none";',
    tests: ["packages/code/src/view/proseWriter.test.ts"],
  },
  {
    bug: "a row is handed out in the middle of a link and told again",
    file: "packages/code/src/view/proseWriter.ts",
    find: "({ end }) => end !== undividable",
    replace: "() => true",
    tests: ["packages/code/src/view/proseWriter.test.ts"],
  },
  {
    bug: "a failure is told twice",
    file: "packages/code/src/view/transcript.ts",
    find: "return isTold ? { ...closed, reason: undefined } : closed;",
    replace: "return closed;",
    tests: ["packages/code/src/view/lives.test.ts"],
  },
  {
    bug: "the keys of a question are off a small screen",
    file: "packages/code/src/interactive/approvalPanel.ts",
    find: "const room = Math.max(0, mostRows - 1 - keys.length);",
    replace: "const room = mostRows;",
    tests: ["packages/code/src/interactive/keyboard.test.ts"],
  },
  {
    bug: "a question hides what reorders text in an edit",
    file: "packages/code/src/interactive/editPreview.ts",
    find: 'const text = exactText(line.replace(/\\r?\\n$/, ""));',
    replace: 'const text = line.replace(/\\r?\\n$/, "").replaceAll(/[^\\p{L}\\p{N}]/gu, "");',
    tests: ["packages/code/src/interactive/keyboard.test.ts"],
  },
  {
    bug: "a wider rule is offered for a command that destroys",
    file: "packages/agent-sdk/src/utils/approvalRules/widerRule.ts",
    find: " || never.has(program)",
    replace: "",
    tests: ["packages/agent-sdk/src/utils/approvalRules.test.ts"],
  },
  {
    bug: "a wider rule is offered for a line of several commands",
    file: "packages/agent-sdk/src/utils/approvalRules/widerRule.ts",
    find: " || others.length > 0",
    replace: "",
    tests: ["packages/agent-sdk/src/utils/approvalRules.test.ts"],
  },
  {
    bug: "choosing the wider rule saves the exact one",
    file: "packages/agent-sdk/src/utils/approvalRules.ts",
    find: "rule: option.rule ?? rule };",
    replace: "rule };",
    tests: ["packages/agent-sdk/src/utils/approvalRules.test.ts"],
  },
  {
    bug: "a removed rule stays on disk",
    file: "packages/agent-sdk/src/agentParts.ts",
    find: "        await removeFromRuleFile(ruleFile, { ...held, folder: workdir });\n",
    replace: "",
    tests: ["packages/agent-sdk/src/savedRules.test.ts"],
  },
  {
    bug: "removing a rule removes that of another folder",
    file: "packages/agent-sdk/src/services/ruleFile.ts",
    find: "return !isMeant || (folder !== undefined && folder !== removed.folder);",
    replace: "return !isMeant;",
    tests: ["packages/agent-sdk/src/savedRules.test.ts"],
  },
];
