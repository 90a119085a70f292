import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unpackArchive } from "./archive.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callboard-archive-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Entry {
  readonly name: string;
  readonly text?: string;
  readonly flag?: string;
}

function packed(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, text = "", flag = "0" }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(text.length.toString(8).padStart(11, "0"), 124);
    header.write(flag, 156);
    const content = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    content.write(text);
    return [header, content];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const version = { name: "/PG_VERSION", text: "18\n" };
const unpack = (entries: readonly Entry[]): Promise<void> =>
  unpackArchive(packed(entries), join(folder, "data"));

it("files and folders come out as they went in", async () => {
  const long = "x".repeat(1_500);
  await unpack([
    version,
    { name: "/base", flag: "5" },
    { name: "/base/1/112", text: long },
    { name: "/empty" },
  ]);
  expect(readdirSync(join(folder, "data"), { recursive: true }).toSorted()).toEqual([
    "PG_VERSION",
    "base",
    "base/1",
    "base/1/112",
    "empty",
  ]);
  expect(readFileSync(join(folder, "data", "base", "1", "112"), "utf8")).toBe(long);
});

describe("refused, with nothing outside the folder", () => {
  it.each([
    ["a path that climbs out", [version, { name: "../out", text: "x" }], "outside its folder"],
    ["one that climbs out from within", [{ name: "/base/../../out", text: "x" }], "outside its"],
    ["a link", [version, { name: "/link", flag: "2" }], "neither file nor folder"],
    ["a file that is there twice", [version, version], "EEXIST"],
    ["something without a database", [{ name: "/hello", text: "x" }], "no data folder"],
  ])("is %s", async (_, entries, reason) => {
    await expect(unpack(entries)).rejects.toThrow(reason);
    expect(readdirSync(folder)).toEqual(["data"]);
  });

  it("is an archive that was cut", async () => {
    const whole = Buffer.alloc(512);
    whole.write("/PG_VERSION", 0);
    whole.write("777", 124);
    whole.write("0", 156);
    await expect(unpackArchive(gzipSync(whole), join(folder, "data"))).rejects.toThrow(
      "ends in the middle of PG_VERSION",
    );
  });

  it("is what is no archive at all", async () => {
    const text = Buffer.from("hello");
    await expect(unpackArchive(text, join(folder, "data"))).rejects.toThrow(
      "not a gzipped archive",
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});
