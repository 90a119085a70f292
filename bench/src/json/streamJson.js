/**
 * stream-json gives tokens; its own assembler shows a value only when it is whole. This one places
 * every value in the tree at once and lets strings grow in it, as its users would have to write it.
 */
import { jsonParser } from "stream-json/core/parser.js";
import { seen } from "./seen.js";

/** @param {readonly string[]} chunks */
export function readWithStreamJson(chunks) {
  const parse = jsonParser({
    packKeys: true,
    streamKeys: false,
    packStrings: false,
    streamStrings: true,
    packNumbers: true,
    streamNumbers: false,
  });
  /** @type {any[]} */
  const stack = [[]];
  /** @type {(string | number)[]} */
  const keys = [0];
  let text = "";
  const place = (/** @type {unknown} */ value) => {
    const parent = stack[stack.length - 1];
    if (Array.isArray(parent)) parent.push(value);
    else parent[keys[keys.length - 1] ?? ""] = value;
  };
  const grow = (/** @type {string} */ value) => {
    const parent = stack[stack.length - 1];
    if (Array.isArray(parent)) parent[parent.length - 1] = value;
    else parent[keys[keys.length - 1] ?? ""] = value;
  };
  const open = (/** @type {object} */ value) => {
    place(value);
    stack.push(value);
    keys.push("");
  };
  const take = (/** @type {{ name: string, value?: any }} */ token) => {
    switch (token.name) {
      case "startObject":
        return open({});
      case "startArray":
        return open([]);
      case "endObject":
      case "endArray":
        stack.pop();
        keys.pop();
        return undefined;
      case "keyValue":
        keys[keys.length - 1] = token.value;
        return undefined;
      case "startString":
        text = "";
        return place("");
      case "stringChunk":
        text += token.value;
        return grow(text);
      case "endString":
        return undefined;
      case "numberValue":
        return place(Number(token.value));
      default:
        return place(token.value);
    }
  };
  for (const chunk of chunks) {
    // A chunk without a token gives a symbol instead of a list.
    for (const token of Object(parse(chunk)).values ?? []) take(token);
    seen.value = stack[0][0];
  }
  return seen.value;
}
