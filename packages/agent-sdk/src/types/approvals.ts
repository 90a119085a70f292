/** Who decides whether a call may run, and what is remembered of it. */
import type { JsonObject } from "@callboard/run-log";

/**
 * A rule names a tool and what of it is meant: `shell(git *)`, `write_file(src/**)`, `web_fetch`,
 * `*`. `write(…)` means every tool of kind edit.
 */
export type ApprovalRule = string;

/** Which calls run without a question, which need approval, and which are denied. */
export interface ApprovalPolicy {
  /** Rules that allow without asking. */
  readonly allow?: readonly ApprovalRule[];
  /** Rules that deny without asking; they win over `allow`. */
  readonly deny?: readonly ApprovalRule[];
  /** What happens if no rule decides and the tool needs an approval. Default `ask`. */
  readonly otherwise?: "ask" | "allow" | "deny";
  /** How long an answer is waited for before the call is denied; null waits for ever. Default 7 days. */
  readonly timeoutMs?: number | null;
  /**
   * Called when a person chose to allow or reject always. Default: the rule is kept for this working
   * folder in `approvals.jsonl` under `CALLBOARD_HOME`. Whoever keeps rules elsewhere gives them back
   * by `allow` and `deny`; the file is not read then.
   */
  readonly saveRule?: (rule: ApprovalRule, effect: "allow" | "deny") => void | Promise<void>;
}

/** A rule in effect, and its source: the options, the saved ones, or an answer in this session. */
export interface HeldRule {
  readonly rule: ApprovalRule;
  readonly effect: "allow" | "deny";
  readonly from: "policy" | "saved" | "session";
}

/** The subject of a question. */
export interface ApprovalSubject {
  readonly toolName: string;
  readonly kind: string;
  /** The tool's `approvalTarget` of the input: a command line, a path, a URL. A tool may have none. */
  readonly target: string | undefined;
  readonly input: JsonObject;
}

export type ApprovalVerdict =
  | { readonly verdict: "allowed"; readonly rule: ApprovalRule | undefined }
  | { readonly verdict: "denied"; readonly rule: ApprovalRule | undefined }
  | { readonly verdict: "ask" };
