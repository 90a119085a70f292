import { expect, it } from "vitest";
import { notePlace } from "./notePlace.js";

const note = { chars: 20, width: 300 };

it("stands behind the bar as long as all of it has room there", () => {
  expect(notePlace({ ...note, start: 0, end: 0.5 })).toBe("behind");
  expect(notePlace({ ...note, start: 0.5, end: 0.55 })).toBe("behind");
});

it("stands before the bar if there is room for all of it there alone", () => {
  expect(notePlace({ ...note, start: 0.5, end: 0.9 })).toBe("before");
});

it("is cut where there is more room, and omitted where too little of it could be read", () => {
  expect(notePlace({ ...note, start: 0.35, end: 0.7 })).toBe("before");
  expect(notePlace({ ...note, start: 0.1, end: 0.65 })).toBe("behind");
  expect(notePlace({ chars: 20, width: 100, start: 0.05, end: 0.95 })).toBeUndefined();
  expect(notePlace({ ...note, chars: 4, start: 0, end: 0.87 })).toBe("behind");
});

it("stands on a bar that leaves no room beside it", () => {
  expect(notePlace({ ...note, start: 0.05, end: 0.95 })).toBe("on");
  expect(notePlace({ ...note, start: -1, end: 4 })).toBe("on");
});

it("counts what is in sight alone, and guesses before it is laid out", () => {
  expect(notePlace({ ...note, start: -2, end: 0.3 })).toBe("behind");
  expect(notePlace({ ...note, start: 0.8, end: 3 })).toBe("before");
  expect(notePlace({ chars: 20, width: 0, start: 0.1, end: 0.95 })).toBe("before");
});
