/** Policy in code: functions that are asked at moments of a run, and whose answers are kept in its log. */
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
 * One author of policy. Hooks are asked in their order, each at the moments for which it has a function. A hook
 * that has nothing to say returns nothing, and the log says nothing of it. One that throws, takes longer
 * than its time or returns what does not fit has failed: a moment that it could have denied is then denied.
 */
export interface Hook {
  /** Who the log says has decided. */
  readonly name: string;
  /** The tools whose calls it is asked about, by name: `shell`, `mcp__github__*`. Default all. */
  readonly tools?: readonly string[];
  /** How long each answer is waited for. Default 30,000 ms. */
  readonly timeoutMs?: number;
  /** Before the first message that this agent sends in a session. */
  readonly sessionStart?: (session: HookedSession, context: HookContext) => Answered<HookNote>;
  /** Before a message that begins a run is put into the log and told to the model. */
  readonly promptSubmit?: (prompt: HookedPrompt, context: HookContext) => Answered<PromptAnswer>;
  /** Before a call runs and before anybody is asked to approve it. Calls of nested agents too. */
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
  /** `deny`: the message is not told to the model and the run ends. */
  readonly decision?: "allow" | "deny";
  readonly reason?: string;
}

export interface CallAnswer extends HookNote {
  /**
   * `deny` ends the call, and no further hook is asked. `ask`: a person is asked, whatever rules allow it. `allow`:
   * nobody is asked. The strictest answer counts, and rules that deny hold in every case.
   */
  readonly decision?: "allow" | "deny" | "ask";
  /**
   * The arguments that the call is to run with in the place of those that it was sent with. The hooks after this one
   * judge them, a person is asked about them, and the log keeps both. They are checked as the model's are.
   */
  readonly input?: JsonObject;
  /** Why: told to the model where it is a denial, and to the person who is asked. */
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
  /** The call that a nested agent works for, where one made this call. */
  readonly parentCallId?: string;
}

export interface EndedCall extends Omit<HookedCall, "kind"> {
  readonly kind?: string;
  readonly outcome: CallOutcome;
  /** Head and tail where it is long. */
  readonly output?: string;
  readonly errorType?: string;
  readonly message?: string;
  readonly exitCode?: number;
  /** Execution alone, without waiting; 0 where it never began. */
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
