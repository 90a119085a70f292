/** How full the context is, and the button that summarizes. */
import { act } from "react";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { ContextLine } from "./ContextLine.js";

it("says how full the context is, as far as it is known", async () => {
  const textOf = async (context: { tokens: number; window?: number }) =>
    (await drawn(<ContextLine context={context} onCompact={undefined} />)).textContent;
  expect(await textOf({ tokens: 12_345 })).toBe("Context: 12,345 tokens");
  expect(await textOf({ tokens: 50_000, window: 200_000 })).toBe(
    "Context: 50,000 tokens of 200,000 (25%)",
  );
});

it("summarizes when it is asked to, and offers it only where it can", async () => {
  let asked = 0;
  const compact = (): void => {
    asked += 1;
  };
  const buttonOf = async (onCompact: (() => void) | undefined) =>
    (await drawn(<ContextLine context={{ tokens: 1 }} onCompact={onCompact} />)).querySelector(
      "button",
    );
  expect(await buttonOf(undefined)).toBeNull();
  const button = await buttonOf(compact);
  await act(async () => button?.click());
  expect(asked).toBe(1);
});
