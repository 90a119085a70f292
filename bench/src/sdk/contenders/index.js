/**
 * Everyone who reads the stream. A contender's library is loaded only in the process that measures
 * it. The same work comes in variants; those of another protocol have a floor of their own.
 */

/** @typedef {import("../frames.js").Dialect} Dialect */

/**
 * @typedef {object} Task
 * @property {string} url What stands before `/v1`.
 * @property {"write" | "text"} kind
 * @property {Dialect} dialect
 * @property {string | undefined} variant
 */

/**
 * What came out: the tool's arguments or the text, and how often somebody was told of a change.
 *
 * @typedef {object} Reading
 * @property {unknown} result
 * @property {number} updates
 */

/** @typedef {(task: Task) => Promise<Reading>} Work */

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {Dialect} dialect
 * @property {"floor" | "door" | "whole" | "peer"} role
 * @property {string} [variant]
 * @property {readonly ("write" | "text")[]} kinds
 * @property {() => Promise<Work>} load
 */

const both = /** @type {const} */ (["write", "text"]);

const floor = async () => (await import("./floor.js")).readFloor;
const door = async () => (await import("./callboard.js")).readDoor;
const whole = async () => (await import("./callboard.js")).readWhole;
const openai = async () => (await import("./openaiSdk.js")).readOpenai;
const anthropic = async () => (await import("./anthropicSdk.js")).readAnthropic;

/** @type {readonly Contender[]} */
export const contenders = [
  {
    name: "floor: fetch, eventsource-parser, JSON.parse, incremental reader",
    dialect: "openai",
    role: "floor",
    kinds: both,
    load: floor,
  },
  {
    name: "Callboard, the door alone",
    dialect: "openai",
    role: "door",
    kinds: both,
    load: door,
  },
  {
    name: "**Callboard**: door, log, blocks, callbacks, tool",
    dialect: "openai",
    role: "whole",
    kinds: both,
    load: whole,
  },
  {
    name: "`ai`: streamText, readUIMessageStream, tool",
    dialect: "openai",
    role: "peer",
    kinds: both,
    load: async () => (await import("./aiSdk.js")).readAiSdk,
  },
  {
    name: "`openai` stream helper, strict tool: a current value",
    dialect: "openai",
    role: "peer",
    variant: "strict",
    kinds: ["write"],
    load: openai,
  },
  {
    name: "`openai` stream helper: the text so far, no value",
    dialect: "openai",
    role: "peer",
    kinds: both,
    load: openai,
  },
  {
    name: "pi-agent-core: its loop, its provider, tool",
    dialect: "openai",
    role: "peer",
    kinds: both,
    load: async () => (await import("./piAgent.js")).readPi,
  },
  {
    name: "Anthropic's protocol: floor",
    dialect: "anthropic",
    role: "floor",
    kinds: both,
    load: floor,
  },
  {
    name: "Anthropic's protocol: Callboard, the door alone",
    dialect: "anthropic",
    role: "door",
    kinds: both,
    load: door,
  },
  {
    name: "Anthropic's protocol: **Callboard**, everything",
    dialect: "anthropic",
    role: "whole",
    kinds: both,
    load: whole,
  },
  {
    name: "Anthropic's protocol: `@anthropic-ai/sdk`, `inputJson`: a current value",
    dialect: "anthropic",
    role: "peer",
    variant: "looking",
    kinds: ["write"],
    load: anthropic,
  },
  {
    name: "Anthropic's protocol: `@anthropic-ai/sdk`, no value",
    dialect: "anthropic",
    role: "peer",
    kinds: both,
    load: anthropic,
  },
];
