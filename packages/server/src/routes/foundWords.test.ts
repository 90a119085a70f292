import { expect, it } from "vitest";
import { hasWords } from "./foundWords.js";

const row = {
  title: null,
  keywords: ["harbour"],
  arguments: { path: "src/keeper.ts", deep: [{ count: 417 }] },
  output: "The Ångström light (bright)",
};

it.each([["harbour"], ["HARB keep"], ["ångst"], ["41"], ["(bright)?"], ["src/keeper.ts light"]])(
  "reads %j",
  (search) => {
    expect(hasWords(row, search)).toBe(true);
  },
);

it.each([["arbour"], ["harbour gone"], ["path"], ["null"], ["harbourx"]])(
  "does not read %j",
  (search) => {
    expect(hasWords(row, search)).toBe(false);
  },
);
