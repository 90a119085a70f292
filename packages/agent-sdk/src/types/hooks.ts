/** Policy in code: functions that are called at moments of a run, and whose answers are stored in its log. */
import type {
  CallOpener,
  CallOutcome,
  JsonObject,
  JsonValue,
  RunOutcome,
  ToolType,
  Usage,
} from "@callboard/run-log";
import type { ToolKind } from "./tools.js";

/**
 * One policy. Hooks are called in their order, each at the moments for which it has a function. A hook without an answer
 * returns nothing, and the log does not mention it. A hook that throws, exceeds its time or returns a wrong value has
 * failed: a moment that it could have denied is then denied.
 */
export interface Hook {
  /** The name of the decider in the log. */
  readonly name: string;
  /** The tools for whose calls it is called, by name: `shell`, `mcp__github__*`. Default all. */
  readonly tools?: readonly string[];
  /** How long each answer is waited for. Default 30,000 ms. */
  readonly timeoutMs?: number;
  /** Before the first message that this agent sends in a session. */
  readonly sessionStart?: (session: HookedSession, context: HookContext) => Answered<HookNote>;
  /** Before a message that starts a run is written to the log and sent to the model. */
  readonly promptSubmit?: (prompt: HookedPrompt, context: HookContext) => Answered<PromptAnswer>;
  /** Before a call runs and before its approval is requested. Calls of nested agents too. */
  readonly beforeCall?: (call: HookedCall, context: HookContext) => Answered<CallAnswer>;
  /** After the end of a call is stored, whatever it was. It cannot change what happened. */
  readonly afterCall?: (call: EndedCall, context: HookContext) => Answered<HookNote>;
  /** After the end of a message's run is stored. */
  readonly runEnd?: (run: EndedRun, context: HookContext) => void | Promise<void>;
}

/** Nothing, an answer, or a promise of one of them. */
export type Answered<Answer> =
  | Answer
  | null
  | undefined
  | void
  | Promise<Answer | null | undefined>
  | Promise<void>;

export interface HookContext {
  /** Aborts when the answer comes too late, and when the run is cancelled. */
  readonly signal: AbortSignal;
}

export interface HookNote {
  /** Told to the model, after what it is about. */
  readonly context?: string;
}

export interface PromptAnswer extends HookNote {
  /** `deny`: the model does not receive the message and the run ends. */
  readonly decision?: "allow" | "deny";
  readonly reason?: string;
}

export interface CallAnswer extends HookNote {
  /**
   * `deny` ends the call, and no further hook is called. `ask`: a person is asked, even if rules allow it. `allow`: no
   * person is asked. The strictest answer counts, and deny rules apply in every case.
   */
  readonly decision?: "allow" | "deny" | "ask";
  /**
   * The arguments that replace those of the call. The hooks after this one judge them, a person is asked about them, and
   * the log keeps both. They are checked like the model's.
   */
  readonly input?: JsonObject;
  /** The reason: for the model if it is a denial, and for the person who is asked. */
  readonly reason?: string;
}

export interface HookedSession {
  readonly sessionId: string;
  readonly runId: string;
  readonly workdir: string;
  /** Whether the session has no run yet. */
  readonly isNew: boolean;
}

export interface HookedPrompt {
  readonly sessionId: string;
  readonly runId: string;
  readonly workdir: string;
  readonly text: string;
  /** How many images come with it. */
  readonly images: number;
}

export interface HookedCall {
  readonly sessionId: string;
  readonly runId: string;
  readonly workdir: string;
  readonly callId: string;
  readonly toolName: string;
  readonly toolType: ToolType;
  readonly kind: ToolKind;
  readonly input: JsonValue;
  /** The key under which the call has its effect once. */
  readonly effectKey: string;
  /** `user`: the person ran the tool beside the model. `limit`: a limit of the run asks for more. */
  readonly openedBy: CallOpener;
  /** The call that a nested agent works for, if one made this call. */
  readonly parentCallId?: string;
}

export interface EndedCall extends Omit<HookedCall, "kind"> {
  readonly kind?: string;
  readonly outcome: CallOutcome;
  /** Head and tail if it is long. */
  readonly output?: string;
  readonly errorType?: string;
  readonly message?: string;
  readonly exitCode?: number;
  /** Execution alone, without waiting; 0 if it never started. */
  readonly ranMs: number;
}

export interface EndedRun {
  readonly sessionId: string;
  readonly runId: string;
  readonly workdir: string;
  readonly outcome: RunOutcome;
  readonly reason?: string;
  /** The text of the last answer. */
  readonly text: string;
  readonly usage: Usage;
}
