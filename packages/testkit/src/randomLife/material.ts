/** The material of random runs: ids, texts, arguments and endings, drawn from a random source. */
import {
  type ApprovalOption,
  approvalId,
  type CallEnding,
  callId,
  messageId,
  type ProgressReport,
  type ProviderData,
  partId,
  runOutcomes,
} from "@callboard/run-log";
import { toolTypes } from "@callboard/run-log/writing";
import type { Random } from "../torture/random.js";

const numbers = Array.from({ length: 96 }, (_, index) => index + 1);
/** Enough that a life seldom runs out; an id that comes round again is refused, as it should be. */
export const messageIds = numbers.map((number) => messageId(`m${number}`));
export const partIds = numbers.map((number) => partId(`p${number}`));
export const callIds = numbers.map((number) => callId(`c${number}`));
export const approvalIds = numbers.map((number) => approvalId(`a${number}`));

/** What a provider wants back, where it wants something. */
export function maybeOpaque(random: Random): { providerData?: ProviderData } {
  const data = { some: { opaque: "s\u0085" } };
  return maybe(random, { providerData: { provider: "some", data } });
}

export const texts = [
  "a",
  "Hello, ",
  "wörld\n",
  "😀 ",
  "\ud83d",
  "\ude00",
  "",
  '"quoted" \\ ',
  "שלום",
  "0123456789012345678901234567890123456789",
] as const;

export const argumentTexts = [
  '{"file_path":"src/app.ts"}',
  '{"a":[1,2.5,-3e2,true,false,null],"b":{"c":"\\u00e9\\n"}}',
  "{}",
  "[]",
  '"just text"',
  '{ "spaced" : 1 }',
  '{"command":"npm test","😀":"😀"}',
  "7",
] as const;

export const toolNames = ["Read", "Bash", "Agent", "mcp__search__find"] as const;
const failures = ["error", "denied", "cancelled", "timeout", "interrupted"] as const;
const picture = { data: "iVBORw0=", mediaType: "image/png" };
const usage = { inputTokens: 10, outputTokens: 3, costUsd: 0.25 };

export const options: readonly ApprovalOption[] = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "always", name: "Always", kind: "allow_always", rule: "Bash(*)" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

export const maybe = <Fields extends object>(random: Random, fields: Fields): Partial<Fields> =>
  random.next() < 0.8 ? {} : fields;

export function randomProgress(random: Random): ProgressReport {
  switch (random.int(10)) {
    case 0:
      return { type: "message", message: random.pick(texts), ...maybe(random, { percent: 50 }) };
    case 1:
      return { type: "step", step: "parse", ...maybe(random, { data: { files: 3 } }) };
    case 2:
      return { type: "preview", text: random.pick(texts) };
    case 3:
      return { type: "heartbeat" };
    case 4:
      return { type: "title", title: random.pick(texts) };
    case 5:
      return { type: "locations", locations: [{ path: "a.ts", line: random.int(9) }] };
    case 6:
      return { type: "terminal", terminalId: "term_1" };
    case 7:
      return { type: "retry", attempt: 1 + random.int(3), reason: "503" };
    default:
      return { type: "output", text: random.pick(texts) };
  }
}

export function randomEnding(random: Random): CallEnding {
  const details = {
    ...maybe(random, { summary: "one line" }),
    ...maybe(random, { images: [picture] }),
    ...maybe(random, { diffs: [{ path: "a.ts", oldText: "a", newText: "b" }] }),
    ...maybe(random, { usage }),
    ...maybe(random, { exitCode: random.int(3) }),
    ...maybe(random, { retries: random.int(3) }),
    ...maybe(random, { persistKey: "outputs/1", filePath: "a.ts" }),
    ...maybe(random, { metadata: { took: [1, { two: 2 }] } }),
  };
  return random.next() < 0.6
    ? {
        ...details,
        outcome: "ok",
        output: random.pick(texts),
        ...maybe(random, { outputType: "text" as const }),
      }
    : {
        ...details,
        outcome: random.pick(failures),
        message: random.pick(texts),
        ...maybe(random, { errorType: "exit_code" }),
      };
}

export const randomRunOutcome = (random: Random) => random.pick(runOutcomes);
export const randomToolType = (random: Random) => random.pick(toolTypes);
export const randomUsage = usage;
export const randomImage = picture;
