/** What clients ask for, in the agent's words: prompts, servers, commands, modes, places. */
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promptInputOf } from "@callboard/run-log/intake";
import { describe, expect, it } from "vitest";
import { mcpConfigsOf } from "./mcpServers.js";
import { modeVerdict } from "./modes.js";
import { pathInside } from "./pathInside.js";
import { createFilePlaces } from "./sessionPlaces.js";
import { slashCommandOf } from "./slashCommands.js";

it("a prompt is one text with its attachments, and images", () => {
  expect(
    promptInputOf([
      { type: "text", text: "Look" },
      { type: "resource_link", uri: "file:///a.ts", name: "a.ts" },
      { type: "resource", resource: { uri: "file:///b.ts", text: "b()" } },
      { type: "resource", resource: { uri: "file:///c.bin", blob: "AA==" } },
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
    ]),
  ).toEqual({
    text: 'Look\n[a.ts](file:///a.ts)\n<file uri="file:///b.ts">\nb()\n</file>\n[attached: file:///c.bin]\n[attached: audio]',
    images: [{ data: "AA==", mediaType: "image/png" }],
  });
});

describe("MCP servers of the client", () => {
  it("are programs or addresses, and their words mean themselves", () => {
    const dollar = "$";
    const pair = [{ name: "KEY", value: `a${dollar}{B}` }];
    const KEY = `a${dollar}{CALLBOARD_DOLLAR:-${dollar}}{B}`;
    expect(
      mcpConfigsOf([
        { name: "files", command: "serve", args: ["-x"], env: pair },
        { type: "http", name: "web", url: "https://x", headers: pair },
        { type: "sse", name: "older", url: "https://y", headers: [] },
      ]),
    ).toEqual({
      files: { command: "serve", args: ["-x"], env: { KEY } },
      web: { type: "http", url: "https://x", headers: { KEY } },
      older: { type: "sse", url: "https://y", headers: {} },
    });
  });

  it("of another transport are refused by name", () => {
    expect(() => mcpConfigsOf([{ type: "pigeon", name: "old", url: "https://x" }])).toThrow(
      "The MCP server old uses pigeon, which is not supported: use stdio, http or sse.",
    );
  });
});

it("slash commands are ours, anything else is the model's", () => {
  expect([
    slashCommandOf("/cost"),
    slashCommandOf(" /shell ls -l\nwc "),
    slashCommandOf("/shell"),
    slashCommandOf("/deploy now"),
    slashCommandOf("see /cost"),
  ]).toEqual([
    { name: "cost" },
    { name: "shell", command: "ls -l\nwc" },
    undefined,
    undefined,
    undefined,
  ]);
});

it("modes answer what they are for", () => {
  expect(modeVerdict("ask", "edit")).toBeUndefined();
  expect(modeVerdict("accept-edits", "edit")).toEqual({ optionId: "allow_once" });
  expect(modeVerdict("accept-edits", "edit", ["/project/src/a.ts"])).toEqual({
    optionId: "allow_once",
  });
  expect(modeVerdict("accept-edits", "edit", ["/project/.git/config"])).toBeUndefined();
  expect(modeVerdict("accept-edits", "execute")).toBeUndefined();
  expect(modeVerdict("auto", "execute")).toEqual({ optionId: "allow_once" });
  expect(modeVerdict("read-only", "edit")).toMatchObject({ optionId: "reject_once" });
});

it("places are kept in files, whatever a session is called, and a broken one is none", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callboard-places-"));
  try {
    const places = createFilePlaces(folder);
    const place = { cwd: "/project", additionalDirectories: ["/more"] };
    await places.keep("../odd id", place);
    expect(await places.placeOf("../odd id")).toEqual(place);
    expect(await places.placeOf("unknown")).toBeUndefined();
    await writeFile(join(folder, "broken.json"), "{");
    expect(await places.placeOf("broken")).toBeUndefined();
    await places.remove("../odd id");
    expect(await places.placeOf("../odd id")).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("files of the client stay inside its folders, also behind links", async () => {
  const workdir = await mkdtemp(join(tmpdir(), "callboard-inside-"));
  try {
    await symlink("/etc", join(workdir, "out"));
    const folders = { workdir, additionalDirectories: ["/opt"] };
    expect(pathInside("new/a.txt", folders)).toBe(join(workdir, "new/a.txt"));
    expect(pathInside("/opt/a", folders)).toBe("/opt/a");
    for (const path of ["../a", "out/passwd", "/etc/passwd"]) {
      expect(() => pathInside(path, folders)).toThrow(/is outside the working folders/);
    }
  } finally {
    await rm(workdir, { recursive: true });
  }
});
