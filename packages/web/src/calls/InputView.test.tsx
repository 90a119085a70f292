/** The arguments of a call, above all where someone decides about it. */
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { InputView } from "./InputView.js";

const long = Array.from({ length: 100 }, (_, index) => `echo line ${index}`).join("\n");

it("shows a long command as head and tail, and whole in a question", async () => {
  const input = { command: long };
  const row = await drawn(<InputView input={input} />);
  expect(row.textContent).toContain("78 lines left out");
  const question = await drawn(<InputView input={input} isWhole />);
  expect(question.querySelector("[aria-label=Command]")?.textContent).toBe(`$ ${long}`);
});

it("shows the arguments that a renderer does not draw", async () => {
  const input = { command: "ls", workdir: "/etc", timeout_ms: 5 };
  const question = await drawn(<InputView input={input} isWhole />);
  expect(question.querySelector("[aria-label=Arguments]")?.textContent).toBe(
    '{\n  "workdir": "/etc",\n  "timeout_ms": 5\n}',
  );
  const row = await drawn(<InputView input={input} />);
  expect(row.querySelector("dl")?.textContent).toBe("workdir/etctimeout_ms5");
});

it("shows an argument of the wrong type instead of nothing", async () => {
  const row = await drawn(<InputView input={{ path: 42 }} isWhole />);
  expect(row.querySelector("[aria-label=Arguments]")?.textContent).toBe('{\n  "path": 42\n}');
});

it("writes out escape sequences and hidden characters of arguments", async () => {
  const input = { command: "echo \u001b[8mhidden\u001b[0m \u202etxt" };
  const question = await drawn(<InputView input={input} isWhole />);
  expect(question.textContent).toBe("$ echo [U+001B][8mhidden[U+001B][0m [U+202E]txt");
});

it("shows the arguments of an unknown tool as they are sent, in a question", async () => {
  const input = { text: "# Title\n\n- \u200bone" };
  const question = await drawn(<InputView input={input} isWhole />);
  expect(question.textContent).toBe('{\n  "text": "# Title\\n\\n- [U+200B]one"\n}');
});

it("draws arguments in the form that the tool's display says", async () => {
  const input = { script: "make all", was: "one", is: "two", target: "app.ts" };
  const display = {
    arguments: { script: "command", was: "before", is: "after", target: "path" },
  } as const;
  const row = await drawn(<InputView display={display} input={input} />);
  expect(row.querySelector("[aria-label=Script]")?.textContent).toBe("$ make all");
  expect(row.querySelector("dl")).toBe(null);
  expect(row.textContent).toContain("app.ts");
  expect(row.querySelectorAll("[aria-label=Was], [aria-label=Is]")).toHaveLength(0);
});
