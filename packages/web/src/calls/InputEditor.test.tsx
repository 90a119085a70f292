/** The editor of a question's arguments: it runs only what is a changed JSON object, and shows the change. */
import type { JsonObject } from "@callboard/run-log";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { InputEditor } from "./InputEditor.js";

async function edited() {
  const ran: JsonObject[] = [];
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  onTestFinished(() => act(async () => root.unmount()));
  await act(async () =>
    root.render(
      <InputEditor
        input={{ command: "rm -r /" }}
        onRun={(input) => ran.push(input)}
        onClose={() => undefined}
      />,
    ),
  );
  const setValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
  return {
    ran,
    container,
    write: (text: string) =>
      act(async () => {
        const area = container.querySelector("textarea");
        setValue?.call(area, text);
        area?.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    run: () => act(async () => container.querySelector("button")?.click()),
  };
}

it("offers the arguments as they are, and runs nothing before they are changed", async () => {
  const { container, ran, run } = await edited();
  expect(container.querySelector("textarea")?.value).toBe('{\n  "command": "rm -r /"\n}\n');
  expect(container.querySelector("button")?.disabled).toBe(true);
  await run();
  expect(ran).toEqual([]);
});

it("says what is wrong with a text that is no JSON object", async () => {
  const { container, write } = await edited();
  await write("[1]");
  expect(container.querySelector("[role=status]")?.textContent).toBe(
    "Not a JSON object: it must be written in braces",
  );
  expect(container.querySelector("button")?.disabled).toBe(true);
});

it("shows the change and runs with it", async () => {
  const { container, write, run, ran } = await edited();
  await write('{"command":"rm -r dist"}');
  const change = container.querySelector("figure pre")?.textContent;
  expect(change).toContain('"command": "rm -r /"');
  expect(change).toContain('"command": "rm -r dist"');
  await run();
  expect(ran).toEqual([{ command: "rm -r dist" }]);
});
