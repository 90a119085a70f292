/** The messages that wait, as they are shown. */
import { messageId } from "@callboard/run-log";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import QueueView from "./QueueView.js";

it("writes out what would turn the reading direction of a waiting message", async () => {
  const text = "run \u202Etset mpn";
  const nothing = (): void => undefined;
  const list = await drawn(
    <QueueView
      waiting={[{ messageId: messageId("m1"), text, delivery: "run", at: 1 }]}
      returned={[{ messageId: messageId("m2"), text, delivery: "run", at: 1 }]}
      onEdit={nothing}
      onSteer={nothing}
      onRemove={nothing}
      onSendAgain={nothing}
    />,
  );
  expect(list.textContent?.split("run [U+202E]tset mpn").length).toBe(3);
  expect(list.textContent).not.toContain("\u202E");
  expect(list.querySelector("[aria-label^=Remove]")?.getAttribute("aria-label")).toBe(
    "Remove run [U+202E]tset mpn",
  );
});
