/** Each law is shown a surface that breaks it, so that a law that never fails is found out. */
import { initialState, type RunEvent, type RunState } from "@callboard/run-log";
import type { Projection } from "@callboard/run-log/projections";
import { describe, expect, it } from "vitest";
import { type LawName, laws } from "./laws.js";
import { lifeNamed } from "./lives/index.js";
import type { Surface } from "./surface.js";
import { logSurface } from "./surfaces/log.js";
import { createRandom } from "./torture/random.js";

const logOf = (name: string): readonly RunEvent[] => {
  const life = lifeNamed(name);
  if (!life) throw new Error(`no life ${name}`);
  return life.log;
};

const telling = (outputsOf: (event: RunEvent) => readonly RunEvent[]) => ({
  ...logSurface,
  projection: {
    initial: undefined,
    step: (memory: undefined, event: RunEvent) => ({
      memory,
      outputs: outputsOf(event),
    }),
  },
});

const endsTwice = telling((event) => (event.type === "call.closed" ? [event, event] : [event]));
const neverEnds = telling((event) => (event.type === "call.closed" ? [] : [event]));

/** Believes deltas instead of closings. */
const believer: Surface<string, never> = {
  name: "believer",
  projection: {
    initial: "",
    step: (text, event) => ({
      memory: event.type === "text.delta" ? text + event.text : text,
      outputs: [],
    }),
  },
  finalOf: (_, text) => text,
};

/** Counts deltas, as if each came exactly once. */
const counter: Surface<number, never> = {
  name: "counter",
  projection: {
    initial: 0,
    step: (count, event) => ({
      memory: event.type === "call.input.delta" ? count + 1 : count,
      outputs: [],
    }),
  },
  finalOf: (_, count) => count,
};

/** Keeps its memory outside, so that a second reader continues where the first one was. */
function createHoarder(): Surface<readonly string[], string> {
  const seen: string[] = [];
  const projection: Projection<readonly string[], string> = {
    initial: seen,
    step(memory, event) {
      seen.push(event.type);
      return { memory, outputs: [`${seen.length} ${event.type}`] };
    },
  };
  return { name: "hoarder", projection, finalOf: (outputs) => outputs };
}

/** Says of each call how many others are open beside it. */
const gossip: Surface<RunState, string> = {
  name: "gossip",
  projection: {
    initial: initialState,
    step: (last, event, { after }) => ({
      memory: after,
      outputs:
        "callId" in event && last.status !== "unstarted"
          ? [`${event.callId} after ${lastInput(last)}`]
          : [],
    }),
  },
  finalOf: (outputs) => outputs,
  callOf: (output) => output.split(" ")[0],
};

function lastInput(run: RunState): string {
  if (run.status === "unstarted") return "";
  return [...run.calls.open.values()]
    .map((call) => (call.status === "inputStreaming" ? call.inputText.length : call.status))
    .join();
}

/** Sends the whole text with every delta. */
const repeater: Surface<string, string> = {
  name: "repeater",
  projection: {
    initial: "",
    step(text, event) {
      if (event.type !== "call.input.delta") return { memory: text, outputs: [] };
      return { memory: text + event.text, outputs: [text + event.text] };
    },
  },
  finalOf: (outputs) => outputs.at(-1),
};

const faultOf = <Memory, Output>(
  law: LawName,
  surface: Surface<Memory, Output>,
  life: string,
): string | undefined => laws[law](surface, logOf(life), createRandom(7));

describe("a law is broken by", () => {
  it.each([
    ["brackets", "a second end", faultOf("brackets", endsTwice, "read-file")],
    ["brackets", "no end", faultOf("brackets", neverEnds, "read-file")],
    ["hints", "believing deltas", faultOf("hints", believer, "plain-text")],
    ["offsets", "counting deltas", faultOf("offsets", counter, "read-file")],
    [
      "live equals replay",
      "memory outside",
      faultOf("live equals replay", createHoarder(), "plain-text"),
    ],
    [
      "independence",
      "looking at other calls",
      faultOf("independence", gossip, "interleaved-arguments"),
    ],
    ["linearity", "sending everything again", faultOf("linearity", repeater, "huge-argument")],
  ])("%s: %s", (_, __, fault) => {
    expect(fault).toEqual(expect.any(String));
  });
});
