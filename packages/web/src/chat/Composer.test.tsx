/** The field that messages are written in. */
import { act } from "react";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { Composer } from "./Composer.js";

it("sends what was written and confirmed while the message before it was on its way", async () => {
  const sent: unknown[] = [];
  const ends: (() => void)[] = [];
  const onSend = (input: unknown): Promise<void> => {
    sent.push(input);
    return new Promise((resolve) => ends.push(resolve));
  };
  const page = await drawn(
    <Composer isRunning={false} placeholder="" onSend={onSend} onStop={() => undefined} />,
  );
  const field = page.querySelector("textarea");
  if (field === null) throw new Error("There is no field.");
  const write = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
  const say = (text: string) =>
    act(async () => {
      write?.call(field, text);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  const enter = () =>
    act(async () => {
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    });
  await say("one");
  await enter();
  await say("two");
  await enter();
  expect(sent).toEqual(["one"]);
  await act(async () => ends[0]?.());
  expect(sent).toEqual(["one", "two"]);
  await act(async () => ends[1]?.());
  expect([sent.length, field.value]).toEqual([2, ""]);
});
