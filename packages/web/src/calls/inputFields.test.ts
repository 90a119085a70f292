/** Which control each argument gets, what stands in it, and what it says. */
import type { JsonObject } from "@callboard/run-log";
import { expect, it } from "vitest";
import { type InputField, inputFields, readField, writtenOf } from "./inputFields.js";

const schema: JsonObject = {
  type: "object",
  required: ["path", "level"],
  properties: {
    path: { type: "string", description: "Where to write." },
    lines: { type: "integer" },
    ratio: { anyOf: [{ type: "number" }, { type: "null" }] },
    isForced: { type: "boolean", title: "Overwrite" },
    level: { enum: ["low", "high", 3] },
    tags: { type: "array", items: { type: "string" } },
    options: { type: "object", properties: { deep: { type: "boolean" } } },
    either: { anyOf: [{ type: "string" }, { type: "number" }] },
  },
};

function kindsOf(fields: readonly InputField[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));
}

function fieldOf(kind: InputField["kind"], isRequired = false): InputField {
  return { name: "one", kind, isRequired };
}

it("gives each argument of a schema the control of its type", () => {
  const fields = inputFields(schema, {});
  expect(kindsOf(fields)).toEqual({
    path: "text",
    lines: "integer",
    ratio: "number",
    isForced: "boolean",
    level: "choice",
    tags: "texts",
    options: "json",
    either: "json",
  });
  expect(fields.find(({ name }) => name === "path")).toEqual({
    name: "path",
    kind: "text",
    isRequired: true,
    description: "Where to write.",
  });
  expect(fields.find(({ name }) => name === "isForced")?.title).toBe("Overwrite");
});

it("goes by the arguments where there is no schema, and for what a schema does not name", () => {
  const input = { path: "a", size: 2, isNew: false, tags: ["x"], mixed: [1, "x"], none: null };
  const kinds = {
    path: "text",
    size: "number",
    isNew: "boolean",
    tags: "texts",
    mixed: "json",
    none: "json",
  };
  expect(kindsOf(inputFields(undefined, input))).toEqual(kinds);
  expect(kindsOf(inputFields({ properties: { path: { type: "string" } } }, input))).toEqual(kinds);
});

it("writes an argument as JSON that does not fit its control", () => {
  const input = { path: 42, tags: ["one\ntwo"], isForced: "yes" };
  expect(kindsOf(inputFields(schema, input))).toMatchObject({
    path: "json",
    tags: "json",
    isForced: "json",
  });
});

it("shows a value as text, a list of texts line by line, and what is nested as JSON", () => {
  expect(writtenOf(fieldOf("text"), "a")).toBe("a");
  expect(writtenOf(fieldOf("integer"), 7)).toBe("7");
  expect(writtenOf(fieldOf("texts"), ["a", "b"])).toBe("a\nb");
  expect(writtenOf(fieldOf("json"), { a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(writtenOf(fieldOf("boolean"), undefined)).toBe(false);
  expect(writtenOf(fieldOf("text"), undefined)).toBe("");
});

it("reads what a control says, as the value that it stands for", () => {
  expect(readField(fieldOf("text"), " a ", true)).toEqual({ value: " a " });
  expect(readField(fieldOf("number"), "1.5", true)).toEqual({ value: 1.5 });
  expect(readField(fieldOf("texts"), "a\n\nb\n", true)).toEqual({ value: ["a", "", "b"] });
  expect(readField(fieldOf("json"), '{"a":1}', true)).toEqual({ value: { a: 1 } });
  const [level] = inputFields({ properties: { level: { enum: ["low", 3] } } }, {});
  expect(level && readField(level, "3", true)).toEqual({ value: 3 });
  expect(readField(fieldOf("boolean"), false, true)).toEqual({ value: false });
});

it("leaves out what was left empty, unless it is asked for", () => {
  expect(readField(fieldOf("text"), "", false)).toEqual({ isAbsent: true });
  expect(readField(fieldOf("text"), "", true)).toEqual({ value: "" });
  expect(readField(fieldOf("text", true), "", false)).toEqual({ value: "" });
  expect(readField(fieldOf("texts"), "", true)).toEqual({ value: [] });
  expect(readField(fieldOf("number"), "", true)).toEqual({ isAbsent: true });
  expect(readField(fieldOf("boolean"), false, false)).toEqual({ isAbsent: true });
});

it("says why a text is no value", () => {
  expect(readField(fieldOf("number"), "much", true)).toEqual({ problem: "It must be a number." });
  expect(readField(fieldOf("integer"), "1.5", true)).toEqual({
    problem: "It must be a whole number.",
  });
  expect(readField(fieldOf("number", true), "", false)).toEqual({
    problem: "It must be a number.",
  });
  expect(readField(fieldOf("choice", true), "", false)).toEqual({ problem: "Choose one." });
  expect(readField(fieldOf("json"), "{", true)).toHaveProperty("problem");
});
