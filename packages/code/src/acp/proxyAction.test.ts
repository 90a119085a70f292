/** What the flags of the proxy mean. */
import { expect, it } from "vitest";
import { silenceOf } from "./proxyAction.js";

it("a silence is given in seconds, and anything else is refused", () => {
  expect([silenceOf(undefined), silenceOf("600"), silenceOf("0.5")]).toEqual([
    {},
    { silenceTimeoutMs: 600_000 },
    { silenceTimeoutMs: 500 },
  ]);
  for (const wrong of ["", "soon", "0", "-1", "Infinity"]) {
    expect(() => silenceOf(wrong)).toThrow(
      `--silence-timeout is a number of seconds such as 600, not ${JSON.stringify(wrong)}`,
    );
  }
});
