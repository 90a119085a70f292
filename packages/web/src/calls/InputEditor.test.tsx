/** The editor of a question's arguments: it runs only what is a changed JSON object, and shows the change. */
import type { JsonObject } from "@callboard/run-log";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { InputEditor } from "./InputEditor.js";

const schema: JsonObject = {
  required: ["command"],
  properties: { command: { type: "string" }, timeout: { type: "integer" } },
};

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
        schema={schema}
        onRun={(input) => ran.push(input)}
        onClose={() => undefined}
      />,
    ),
  );
  const button = (name: string): HTMLButtonElement | undefined =>
    [...container.querySelectorAll("button")].find((one) => one.textContent === name);
  const write = (selector: string, text: string): Promise<void> =>
    act(async () => {
      const field = container.querySelector(selector);
      const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;
      set?.call(field, text);
      field?.dispatchEvent(new Event("input", { bubbles: true }));
    });
  return {
    ran,
    container,
    write,
    click: (name: string) => act(async () => button(name)?.click()),
    isOffered: () => button(run)?.disabled === false,
    change: () => container.querySelector("figure pre")?.textContent ?? "",
    told: () => container.querySelector("[role=status]")?.textContent,
  };
}

const run = "Run once with these arguments";
const command = "[data-field=command] input";
const timeout = "[data-field=timeout] input";

it("offers the arguments in a form, and runs nothing before they are changed", async () => {
  const { container, ran, click, isOffered } = await edited();
  expect(container.querySelector<HTMLInputElement>(command)?.value).toBe("rm -r /");
  expect(container.querySelector<HTMLInputElement>(timeout)?.value).toBe("");
  expect(isOffered()).toBe(false);
  await click(run);
  expect(ran).toEqual([]);
});

it("runs with what was written in the form, and shows the change", async () => {
  const { write, click, change, ran } = await edited();
  await write(command, "rm -r dist");
  await write(timeout, "5");
  expect(change()).toContain('"command": "rm -r /"');
  expect(change()).toContain('"command": "rm -r dist"');
  await click(run);
  expect(ran).toEqual([{ command: "rm -r dist", timeout: 5 }]);
});

it("runs nothing while a field holds no value, and says why", async () => {
  const { write, isOffered, told, click, ran } = await edited();
  await write(command, "ls");
  await write(timeout, "soon");
  expect(told()).toBe("It must be a number.");
  expect(isOffered()).toBe(false);
  await write(timeout, "");
  await click(run);
  expect(ran).toEqual([{ command: "ls" }]);
});

it("says what is wrong with a text that is not a JSON object", async () => {
  const { click, write, isOffered, told } = await edited();
  await click("JSON");
  await write("textarea", "[1]");
  expect(told()).toBe("Not a JSON object: it must be written in braces");
  expect(isOffered()).toBe(false);
});

it("takes what was written as JSON into the form, and back", async () => {
  const { container, click, write, ran } = await edited();
  await click("JSON");
  expect(container.querySelector("textarea")?.value).toBe('{\n  "command": "rm -r /"\n}\n');
  await write("textarea", '{"command":"ls","timeout":3,"deep":true}');
  await click("Form");
  expect(container.querySelector<HTMLInputElement>(timeout)?.value).toBe("3");
  await write(command, "ls -l");
  await click(run);
  expect(ran).toEqual([{ command: "ls -l", timeout: 3, deep: true }]);
});
