/**
 * What can go wrong with a headless run, one case for each seed: how the provider behaves, what is asked
 * for on the command line, what happens to the process meanwhile, and which exit codes are true then.
 */
import type { Random } from "../random.js";
import type { ProviderReply, ProviderStep } from "./fakeProvider.js";

export interface CliCase {
  readonly kind: string;
  readonly replies: readonly ProviderReply[];
  readonly flags: readonly string[];
  readonly format: "json" | "stream-json";
  /** Signals that the process gets once the provider was asked. */
  readonly signals: readonly NodeJS.Signals[];
  /** Whether the reader goes away once the first bytes came. */
  readonly isReaderLeaving: boolean;
  readonly exitCodes: readonly number[];
}

type Maker = (
  random: Random,
) => Omit<CliCase, "kind" | "format"> & Partial<Pick<CliCase, "format">>;

const calm = { flags: [], signals: [], isReaderLeaving: false } as const;

function call(random: Random, name: string, input: string, id = "call_1"): ProviderStep {
  const pieces: string[] = [];
  for (let rest = input; rest !== ""; ) {
    const size = 1 + random.int(12);
    pieces.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return { call: { id, name, pieces } };
}

const shell = (random: Random, command: string): ProviderStep =>
  call(random, "shell", JSON.stringify({ command }));

function words(random: Random): ProviderStep[] {
  return Array.from({ length: 1 + random.int(20) }, (_, index) => ({ text: `word ${index} ` }));
}

const ended: ProviderReply = { steps: [{ text: "over" }] };
const allow = ["--allow", "*"];
const patience = ["--timeout", "0.4"];
/** Ends nothing by itself, and not by a polite signal. */
const stubborn = "trap '' TERM INT HUP; while :; do sleep 0.1; done";

const makers: Readonly<Record<string, Maker>> = {
  "plain answer": (random) => ({ ...calm, replies: [{ steps: words(random) }], exitCodes: [0] }),
  "tool works": (random) => ({
    ...calm,
    flags: allow,
    replies: [{ steps: [...words(random), shell(random, "echo done; seq 1 200")] }, ended],
    exitCodes: [0],
  }),
  "tool fails and counts": (random) => ({
    ...calm,
    flags: ["--fail-on-tool-error"],
    replies: [{ steps: [call(random, "read_file", '{"path":"none"}')] }, ended],
    exitCodes: [3],
  }),
  denial: (random) => ({
    ...calm,
    replies: [{ steps: [shell(random, "echo never")] }, ended],
    exitCodes: [0],
  }),
  "unknown tool": (random) => ({
    ...calm,
    replies: [{ steps: [call(random, "no_such_tool", "{}")] }, ended],
    exitCodes: [0],
  }),
  "arguments that do not parse": (random) => ({
    ...calm,
    flags: allow,
    replies: [{ steps: [call(random, "shell", '{"command": "echo')] }, ended],
    exitCodes: [0],
  }),
  "refused request": () => ({
    ...calm,
    replies: [{ status: 400, message: "no" }],
    exitCodes: [1],
  }),
  "refused key": (random) => ({
    ...calm,
    replies: [{ status: random.pick([401, 403]), message: "no" }],
    exitCodes: [4],
  }),
  "cut in the text": (random) => ({
    ...calm,
    replies: [{ steps: [...words(random), { cut: true }] }],
    exitCodes: [1],
  }),
  "cut in the arguments": (random) => ({
    ...calm,
    flags: allow,
    replies: [{ steps: [call(random, "shell", '{"command": "ech'), { cut: true }] }],
    exitCodes: [1],
  }),
  "nonsense in the stream": (random) => ({
    ...calm,
    replies: [{ steps: [...words(random), { raw: "data: {not json\n\n" }, { text: "x" }] }],
    exitCodes: [0, 1],
  }),
  "turn limit": (random) => ({
    ...calm,
    flags: ["--max-turns", "1"],
    replies: [
      { steps: [call(random, "list_files", '{"path":"."}')] },
      { steps: [call(random, "list_files", '{"path":"."}', "call_2")] },
      ended,
    ],
    exitCodes: [5],
  }),
  "provider hangs until the deadline": (random) => ({
    ...calm,
    flags: patience,
    replies: [{ steps: [...words(random), { hang: true }] }],
    exitCodes: [124],
  }),
  "stubborn tool until the deadline": (random) => ({
    ...calm,
    flags: [...allow, ...patience],
    replies: [{ steps: [shell(random, stubborn)] }, ended],
    exitCodes: [124],
  }),
  "provider is down, then SIGINT": () => ({
    ...calm,
    replies: Array.from({ length: 8 }, () => ({ status: 503, message: "down" })),
    signals: ["SIGINT"],
    exitCodes: [130],
  }),
  "signal while the provider hangs": (random) => {
    const [signal, code] = random.pick([
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const);
    const replies = [{ steps: [...words(random), { hang: true as const }] }];
    return { ...calm, replies, signals: [signal], exitCodes: [code] };
  },
  "signal while a tool runs": (random) => ({
    ...calm,
    flags: allow,
    replies: [{ steps: [shell(random, random.pick(["sleep 30", stubborn]))] }, ended],
    signals: ["SIGTERM"],
    exitCodes: [143],
  }),
  "two signals": (random) => ({
    ...calm,
    flags: allow,
    replies: [{ steps: [shell(random, stubborn)] }, ended],
    signals: ["SIGINT", "SIGINT"],
    exitCodes: [130],
  }),
  "reader goes away": (random) => ({
    ...calm,
    format: "stream-json",
    flags: allow,
    replies: [{ steps: [...words(random), shell(random, "sleep 30")] }, ended],
    isReaderLeaving: true,
    exitCodes: [141],
  }),
  "wrong flags": (random) => ({
    ...calm,
    flags: random.pick([["--bogus"], ["--max-turns", "0"], ["--allow", "("], ["-r", "none"]]),
    replies: [],
    exitCodes: [2],
  }),
};

export function cliCaseOf(random: Random): CliCase {
  const kind = random.pick(Object.keys(makers));
  const format = random.pick(["json", "stream-json"] as const);
  const made = makers[kind]?.(random);
  if (made === undefined) throw new RangeError(`there is no case ${kind}`);
  return { kind, format, ...made };
}
