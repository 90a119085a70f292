import type { Mutant } from "./mutant.js";

export const web: readonly Mutant[] = [
  {
    bug: "a direction override in a command is drawn as it is",
    file: "packages/web/src/values/visibleText.ts",
    find: "\\p{Bidi_Control}",
    replace: "",
    tests: ["packages/web/src/values/visibleText.test.ts"],
  },
  {
    bug: "arguments without a renderer of their own are left out of a question",
    file: "packages/web/src/calls/renderers.tsx",
    find: "{others && <Rest value={others} isWhole={isWhole} />}",
    replace: "",
    tests: ["packages/web/src/calls/InputView.test.tsx"],
  },
  {
    bug: "a question shows head and tail of a long command",
    file: "packages/web/src/values/TextView.tsx",
    find: "useState(isWanted && text.length <= mostWhole)",
    replace: "useState(false)",
    tests: ["packages/web/src/calls/InputView.test.tsx"],
  },
  {
    bug: "an escape sequence in an argument is obeyed instead of written out",
    file: "packages/web/src/values/TextView.tsx",
    find: "hasColours = false,",
    replace: "hasColours = true,",
    tests: ["packages/web/src/calls/InputView.test.tsx"],
  },
  {
    bug: "a key answers a question that is out of sight",
    file: "packages/web/src/calls/questions.ts",
    find: "return height > 0 && top >= 0 && bottom <= page.innerHeight;",
    replace: "return height > 0;",
    tests: ["packages/web/src/calls/questions.test.ts"],
  },
  {
    bug: "a key pressed twice answers two questions",
    file: "packages/web/src/calls/questions.ts",
    find: "if (page.performance.now() - changedAt < settleMs) return;",
    replace: "",
    tests: ["packages/web/src/calls/questions.test.ts"],
  },
  {
    bug: "a key held down answers question after question",
    file: "packages/web/src/calls/questions.ts",
    find: " || event.repeat",
    replace: "",
    tests: ["packages/web/src/calls/questions.test.ts"],
  },
];
