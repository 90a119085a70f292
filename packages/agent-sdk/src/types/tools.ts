/** A tool, its context and its result. */
import type {
  CallDisplay,
  Diff,
  Image,
  JsonObject,
  JsonValue,
  Location,
  ToolType,
  Usage,
} from "@callboard/run-log";
import type { UserQuestion } from "@callboard/run-log/asking";
import type { QuestionReceipt, QuestionReply } from "../tools/askUser.js";
import type { Logger } from "./logger.js";
import type { StandardSchema } from "./standardSchema.js";
import type { Wait } from "./wait.js";

/** The kind of a tool for editors. */
export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "other";

/** The outcome of a question. No answer is ever invented. */
export type QuestionOutcome =
  | { readonly status: "answered"; readonly answer: JsonValue }
  | { readonly status: "declined"; readonly reason: string }
  | { readonly status: "expired" }
  | { readonly status: "cancelled" };

/** What a tool receives in addition to its arguments. */
export interface ToolContext {
  readonly callId: string;
  readonly toolName: string;
  readonly runId: string;
  /**
   * The same for every attempt at this call, also after a crash, and different for every other call: pass it to the
   * service that does the work as an idempotency key, so that it has one effect.
   */
  readonly effectKey: string;
  /** The span of this call, as W3C trace context, for requests of the tool; absent if the run is in no trace. */
  readonly traceparent?: string;
  readonly sessionId: string;
  /** The folder that paths are relative to and stay in. */
  readonly workdir: string;
  /** Further folders for paths. */
  readonly additionalDirectories: readonly string[];
  /** Aborts on cancel, timeout and shutdown. A tool that ignores it is left behind after a grace. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  progress(message: string, percent?: number): void;
  step(name: string, data?: JsonObject): void;
  /** Replaces the last preview. */
  preview(text: string): void;
  /** A piece of the output, shown as it comes. The result still carries the whole. */
  output(chunk: string): void;
  title(title: string): void;
  locations(locations: readonly Location[]): void;
  /**
   * Asks the person in front of the agent, and waits. The question is a call of `ask_user` within this one: it is in the
   * log, every surface shows and answers it, and it ends with this call. Absent if questions are not possible.
   */
  readonly askUser?: (question: UserQuestion) => Promise<QuestionOutcome>;
  /** The command runs in a terminal of the client's, which shows its output by itself. */
  terminal(terminalId: string): void;
}

/**
 * The result of a tool with more than an output. A plain object with an `output` field is read as this, and an unknown
 * field is an error; every other value is the output itself.
 */
export interface ToolResult {
  /** What the model receives: text, any JSON value, or nothing. Anything but text is sent as JSON. */
  readonly output: unknown;
  /** One line for a collapsed row. */
  readonly summary?: string | undefined;
  readonly images?: readonly Image[] | undefined;
  readonly diffs?: readonly Diff[] | undefined;
  /** For a command. Any code but 0 ends the call as failed; the model receives output and code. */
  readonly exitCode?: number | undefined;
  readonly usage?: Usage | undefined;
  /** The path of the whole output if `output` is its head and tail. */
  readonly persistKey?: string | undefined;
  readonly filePath?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** `unknown` if a result is valid; otherwise a type that names the fault. */
export type FittingResult<Result> = [Misfit<Awaited<Result>>] extends [never]
  ? unknown
  : { readonly "this result does not fit": Misfit<Awaited<Result>> };

type Misfit<Result> = Result extends (...given: never) => unknown
  ? "a function is not JSON"
  : Result extends bigint | symbol
    ? "not JSON"
    : Result extends { readonly output: unknown }
      ?
          | Exclude<keyof Result, keyof ToolResult>
          | (Result extends ToolResult ? never : "a field has the wrong type")
      : never;

/** `safe` tools run side by side; the others one after the other, in the order of their calls. */
export type Concurrency = "safe" | "exclusive";

/** What a tool found out about a call whose process ended in the middle. */
export type Reconciliation =
  /** It had its effect: this is its result. */
  | { readonly status: "done"; readonly result: unknown }
  /** It had no effect, and is run now. */
  | { readonly status: "notDone" }
  /** It cannot be determined: a person is asked. */
  | { readonly status: "unknown" };

/**
 * What happens to a call that had started and whose process has ended, when its run is resumed. `ask`: a person is asked
 * whether it runs again. `retry`: it runs again, with the same `effectKey`; for work that is harmless to repeat.
 * `reconcile`: the tool finds out what happened. If no person can be asked, the call is closed as interrupted.
 */
export type OnInterrupted<Input = JsonValue> =
  | "ask"
  | "retry"
  | {
      readonly reconcile: (
        input: Input,
        context: ToolContext,
      ) => Reconciliation | Promise<Reconciliation>;
    };

/** Why arguments are unusable; undefined if they are usable. */
export type InputProblem = string | undefined;

/** A tool that is executed outside of the process: the call waits for its result. */
export interface RemoteExecution {
  /** Who executes it, by the name in the log. */
  readonly delegatedTo: string;
  /** How long the result is waited for; null for ever. */
  readonly timeoutMs: number | null;
  /** Waits for the result of a call with these arguments, in this process. */
  readonly wait: (runId: string, callId: string, input: JsonValue) => Wait<ToolResult>;
  /** Answers a question to the person that waits in this process. Absent if the calls are not questions. */
  readonly answer?: (callId: string, reply: QuestionReply) => QuestionReceipt;
}

/** A tool that an agent can call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly toolType: ToolType;
  /** JSON Schema of the arguments, as the model receives it. */
  readonly inputSchema: JsonObject;
  readonly concurrency: Concurrency;
  readonly timeoutMs: number;
  /** How long it may say nothing (progress, output) before its call ends with `timeout`. Default without end. */
  readonly silenceTimeoutMs?: number;
  /** How often a retryable failure is retried. */
  readonly retries: number;
  /** Whether the call needs an approval if no rule decides. */
  readonly needsApproval: boolean;
  readonly aliases: readonly string[];
  /**
   * The part of the input that an approval rule such as `shell(git *)` is matched against. Without it the call can only
   * be allowed or rejected once, or by a rule that names the tool alone.
   */
  readonly approvalTarget: (input: JsonObject) => string | undefined;
  /** The one-line form of arguments that may still be incomplete. */
  readonly compactParams: (input: JsonObject) => string | undefined;
  /** What people see while it runs: "Reading src/app.ts". */
  readonly title: (input: JsonObject) => string | undefined;
  /** How surfaces show its calls: verbs by tense, and how each argument is drawn. Default by its kind. */
  readonly display?: CallDisplay;
  readonly locations: (input: JsonObject, workdir: string) => readonly Location[];
  /**
   * Why these arguments are unusable, as text for the model. Called before an approval is requested. Nobody reads the
   * answer after the signal has aborted.
   */
  readonly inputProblem: (
    input: JsonValue,
    signal?: AbortSignal,
  ) => InputProblem | Promise<InputProblem>;
  /** Checks the arguments, then runs. A violation is a ToolFailure of type `invalid_arguments`. */
  readonly execute: (input: JsonValue, context: ToolContext) => Promise<ToolResult>;
  /** Default: a call that its process left in the middle is closed as interrupted. */
  readonly onInterrupted?: OnInterrupted;
  /**
   * Whether a call of the model with these arguments runs in the background: the model receives that and continues, and
   * gets the result when it comes. Default never.
   */
  readonly isDetached?: (input: JsonObject) => boolean;
  /** Set if `execute` is never called: a client runs the call. */
  readonly remote?: RemoteExecution;
}

/** The public description of a tool of an agent. */
export type OfferedTool = Pick<
  ToolDefinition,
  "name" | "description" | "kind" | "toolType" | "inputSchema" | "needsApproval"
>;

/** How arguments are checked against a schema. */
export interface ArgumentCheck<Input> {
  /** As a model receives it. */
  readonly schema: JsonObject;
  /** Throws, or rejects with, a ToolFailure of type `invalid_arguments`; with the reason of the signal once that aborted. */
  readonly parse: (input: JsonValue, signal?: AbortSignal) => Input | Promise<Input>;
}

/** The options of `defineTool`. All but the first five have a default. */
export interface ToolOptions<Input, Result = unknown> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  /**
   * A schema of zod, valibot, arktype or any other library of Standard Schema, or a JSON Schema object whose input is
   * then unknown JSON. For an untrusted schema use the check of `createSchemaThread`: a JSON Schema given here is
   * compiled on the main thread without limits.
   */
  readonly input: StandardSchema<Input> | JsonObject | ArgumentCheck<Input>;
  /** The arguments as the model receives them, if the schema's library cannot produce JSON Schema itself. */
  readonly jsonSchema?: object;
  /** Gives text, any JSON value, nothing, or a `ToolResult`; or a promise of one of them. */
  readonly run: (input: Input, context: ToolContext) => Result & FittingResult<Result>;
  readonly toolType?: ToolType;
  readonly concurrency?: Concurrency;
  readonly timeoutMs?: number;
  /** How long it may say nothing (progress, output) before its call ends with `timeout`. Default without end. */
  readonly silenceTimeoutMs?: number;
  readonly retries?: number;
  /** Default: a call that its process left in the middle is closed as interrupted, and not run again. */
  readonly onInterrupted?: OnInterrupted<Input>;
  /**
   * Whether a call of the model runs in the background, always or with these arguments: the model receives that and
   * continues, and gets the result when it comes. Default never.
   */
  readonly detached?: boolean | ((input: JsonObject) => boolean);
  /** Whether an approval is needed if no rule decides. Default: yes for execute, edit, delete and move. */
  readonly needsApproval?: boolean;
  readonly aliases?: readonly string[];
  /**
   * What a rule is matched against and what "always" would save: a command line, a path, an address. It must cover
   * everything that the call does. Default none: then no call can be allowed permanently.
   */
  readonly approvalTarget?: (input: JsonObject) => string | undefined;
  readonly compactParams?: (input: JsonObject) => string | undefined;
  /** A template: `Searching for {{pattern}}`. */
  readonly title?: string;
  /** How surfaces show its calls: verbs by tense, and how each argument is drawn. Default by its kind. */
  readonly display?: CallDisplay;
  readonly locations?: (input: JsonObject, workdir: string) => readonly Location[];
}
