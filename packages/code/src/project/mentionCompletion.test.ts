import { expect, it } from "vitest";
import { mentionCompletion } from "./mentionCompletion.js";

const folders: Readonly<Record<string, readonly string[]>> = {
  "": ["README.md", "src/", "scripts/", ".env", "two words.md"],
  "src/": ["app.ts", "app.test.ts", "apps/"],
  "src/apps/": ["one.ts"],
};
const completed = (text: string) => mentionCompletion(text, (folder) => folders[folder] ?? []);

it.each([
  ["look at @R", "EADME.md ", ["README.md"]],
  ["@src/apps/", "one.ts ", ["one.ts"]],
  ["@sr", "c/", ["src/"]],
  ["@s", "", ["scripts/", "src/"]],
  ["@src/a", "pp", ["app.test.ts", "app.ts", "apps/"]],
  ["@.e", "nv ", [".env"]],
  ["@", "", ["README.md", "scripts/", "src/"]],
  ["@x", "", []],
  ["@two", "", []],
])("%j goes on with %j", (text, added, choices) => {
  expect(completed(text)).toEqual({ added, choices });
});

it.each(["", "look", "me@host", "@README.md", '@"two', "@sr and more"])(
  "%j is no path that is being written",
  (text) => {
    expect(completed(text)).toBeUndefined();
  },
);
