import type { RunEvent } from "@callboard/run-log";
import { lifeNamed, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { escapeClasses, forbidden } from "../testing/escapeClasses.js";
import { htmlOf } from "./html.js";

const payloads = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</pre></details><iframe src=//evil.example>",
  "javascript:alert(1)",
  "<style>@import '//evil.example'</style>",
  ...escapeClasses.map(([, text]) => text),
];

/** The life with a payload wherever text is. */
function poisoned(log: readonly RunEvent[], payload: string): readonly RunEvent[] {
  const text = JSON.stringify(payload).slice(1, -1);
  return log.map((event) =>
    JSON.parse(
      JSON.stringify(event).replaceAll(/"(text|output|message|summary)":"/g, `"$1":"${text}`),
    ),
  );
}

describe("a session as a page", () => {
  it.each(lives.map(({ name, log }) => ({ name, log })))(
    "$name needs nothing and runs nothing",
    ({ log }) => {
      const page = htmlOf("s", log);
      expect(page).toContain(`default-src 'none'; style-src 'sha256-`);
      expect(page).not.toMatch(/<(script|img|iframe|link|object|form)\b|\son\w+=|url\(/i);
    },
  );

  it.each(payloads)("shows %j as text", (payload) => {
    const log = poisoned(lifeNamed("tour")?.log ?? [], payload);
    const page = htmlOf("s", log);
    expect(page).not.toMatch(forbidden);
    const tags = [...page.matchAll(/<(\/?[a-z!][a-z0-9]*)/gi)].map(([, name]) =>
      name?.toLowerCase(),
    );
    const known = [
      "!doctype",
      "html",
      "head",
      "meta",
      "title",
      "style",
      "body",
      "h1",
      "div",
      "details",
      "summary",
      "pre",
    ];
    for (const name of tags) expect(known).toContain(name?.replace("/", ""));
  });
});
