import { describe, expect, it } from "vitest";
import { capabilitiesOf } from "./capabilities.js";

const plain = { colour: "auto", reducedMotion: false, screenReader: false } as const;
const all = { isRich: true, hasColour: true, hasMotion: true };
const none = { isRich: false, hasColour: false, hasMotion: false };

describe("what a stream can show", () => {
  it.each([
    ["a terminal", true, {}, plain, all],
    ["a pipe", false, {}, plain, none],
    ["NO_COLOR", true, { NO_COLOR: "1" }, plain, { ...all, hasColour: false }],
    ["an empty NO_COLOR", true, { NO_COLOR: "" }, plain, all],
    ["FORCE_COLOR in a pipe", false, { FORCE_COLOR: "1" }, plain, { ...none, hasColour: true }],
    ["FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, plain, { ...all, hasColour: false }],
    [
      "NO_COLOR before FORCE_COLOR",
      true,
      { NO_COLOR: "1", FORCE_COLOR: "1" },
      plain,
      { ...all, hasColour: false },
    ],
    ["a dumb terminal", true, { TERM: "dumb" }, plain, none],
    ["CI", true, { CI: "true" }, plain, { ...all, hasMotion: false }],
    ["reduced motion", true, {}, { ...plain, reducedMotion: true }, { ...all, hasMotion: false }],
    ["a screen reader", true, {}, { ...plain, screenReader: true }, { ...none, hasColour: true }],
    [
      "--color always",
      false,
      { NO_COLOR: "1" },
      { ...plain, colour: "always" },
      { ...none, hasColour: true },
    ],
  ] as const)("%s", (_, isTerminal, env, settings, expected) => {
    expect(capabilitiesOf(isTerminal, env, settings)).toEqual(expected);
  });
});
