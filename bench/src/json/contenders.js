/**
 * Every way to have a current value after each delta. A contender reads all chunks, looks at its value
 * after each, and returns the last one; what it returns is checked against JSON.parse outside of the
 * timing. Re-parsing libraries get the text so far, as their users give it to them.
 */
import { partialParse as anthropicParse } from "@anthropic-ai/sdk/_vendor/partial-json-parser/parser";
import { parsePartialJson as langchainParse } from "@langchain/core/output_parsers";
import { JSONParser } from "@streamparser/json";
import { parsePartialJson } from "ai";
import { parse as bestEffortParse } from "best-effort-json-parser";
import { IncompleteJsonParser } from "incomplete-json-parser";
import { jsonrepair } from "jsonrepair";
import { parse as riverParse } from "jsonriver";
import { parse as partialJsonParse } from "partial-json";
import untruncate from "untruncate-json";
import { createJsonReader } from "../../../packages/run-log/dist/partialJson/index.js";
import { seen } from "./seen.js";
import { readWithStreamJson } from "./streamJson.js";

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} [packageName] Where its version is found; ours and the limit have none.
 * @property {boolean} [isInPlace] Whether a library continues changing the value it gave before.
 * @property {(chunks: readonly string[]) => unknown} read
 */

/** @type {Contender} */
export const limit = {
  name: "the limit: concatenate, one JSON.parse at the end",
  read: (chunks) => {
    let text = "";
    for (const chunk of chunks) text += chunk;
    return JSON.parse(text);
  },
};

/** @type {Contender} */
export const live = {
  name: "Callboard, live value",
  read: (chunks) => {
    const reader = createJsonReader();
    for (const chunk of chunks) {
      reader.push(chunk);
      seen.value = reader.value;
    }
    return reader.end().value;
  },
};

/** @type {Contender} */
export const snapshots = {
  name: "Callboard, immutable snapshots",
  read: (chunks) => {
    const reader = createJsonReader();
    for (const chunk of chunks) {
      reader.push(chunk);
      seen.value = reader.snapshot();
    }
    return reader.end().value;
  },
};

/**
 * @param {string} packageName
 * @param {(text: string) => unknown} parse
 * @param {string} [name]
 * @returns {Contender}
 */
function reparsing(packageName, parse, name = packageName) {
  return {
    name,
    packageName,
    read: (chunks) => {
      let text = "";
      for (const chunk of chunks) {
        text += chunk;
        try {
          seen.value = parse(text);
        } catch {
          // Some refuse some prefixes: the value before stays the current one.
        }
      }
      return seen.value;
    },
  };
}

/** @type {readonly Contender[]} */
export const peers = [
  {
    name: "jsonriver",
    packageName: "jsonriver",
    isInPlace: true,
    read: async (chunks) => {
      async function* source() {
        yield* chunks;
      }
      for await (const value of riverParse(source())) seen.value = value;
      return seen.value;
    },
  },
  {
    name: "@streamparser/json",
    packageName: "@streamparser/json",
    isInPlace: true,
    read: (chunks) => {
      const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
      parser.onValue = ({ value, key, parent, stack, partial }) => {
        // It leaves a partial string out of the tree: put it there, but for lists, which it appends to.
        if (partial && typeof value === "string" && !Array.isArray(parent)) parent[key] = value;
        seen.value = stack[1]?.value ?? parent ?? value;
      };
      for (const chunk of chunks) parser.write(chunk);
      return seen.value;
    },
  },
  {
    name: "stream-json, own assembler",
    packageName: "stream-json",
    isInPlace: true,
    read: readWithStreamJson,
  },
  {
    name: "incomplete-json-parser",
    packageName: "incomplete-json-parser",
    read: (chunks) => {
      const parser = new IncompleteJsonParser();
      for (const chunk of chunks) {
        parser.write(chunk);
        seen.value = parser.getObjects();
      }
      return seen.value;
    },
  },
  {
    name: "ai `parsePartialJson`",
    packageName: "ai",
    read: async (chunks) => {
      let text = "";
      for (const chunk of chunks) {
        text += chunk;
        seen.value = (await parsePartialJson(text)).value;
      }
      return seen.value;
    },
  },
  reparsing("@anthropic-ai/sdk", anthropicParse, "@anthropic-ai/sdk, its own parser"),
  reparsing("@langchain/core", langchainParse, "@langchain/core `parsePartialJson`"),
  reparsing("partial-json", (text) => partialJsonParse(text)),
  reparsing("best-effort-json-parser", bestEffortParse),
  reparsing("jsonrepair", (text) => JSON.parse(jsonrepair(text))),
  reparsing("untruncate-json", (text) => JSON.parse(untruncate.default(text))),
];

/** Libraries that were sought and are not there to be measured. */
export const absent = ["vectorjson", "@a5omic/streamjson"];
