/**
 * What a client needs beyond the smallest update. A client that merges needs nothing; others drop earlier fields, or
 * read one field alone. A profile defines what is repeated for them, and when.
 */
import type { ToolCallField } from "./sessionUpdate.js";

export interface ClientProfile {
  readonly name: string;
  /** Repeated with every update of a call. */
  readonly always: readonly ToolCallField[];
  /** Not sent before execution starts or the call is over. */
  readonly heldBack: readonly ToolCallField[];
  /** Repeated with the update to `in_progress`. */
  readonly atStart: readonly ToolCallField[];
  /** Repeated with the final update. */
  readonly atEnd: readonly ToolCallField[];
  /** Repeated with a permission request. */
  readonly withPermission: readonly ToolCallField[];
  /** `whole` keeps raw values as they are although the content shows them. */
  readonly rawValues: "shared" | "whole";
  /** Where the client reads why a call failed: `content` gets no raw output beside it, and the content with the end. */
  readonly failures: "raw" | "content";
  /** Whether people see the terminal that a call names; otherwise its output is sent as text. */
  readonly showsTerminals: boolean;
}

const merging: ClientProfile = {
  name: "merging",
  always: [],
  heldBack: [],
  atStart: [],
  atEnd: [],
  withPermission: [],
  rawValues: "shared",
  failures: "raw",
  showsTerminals: true,
};

/** What a reader needs that sees only final updates. */
export const contextFields = ["title", "content", "locations"] as const;

export const profiles = {
  merging,
  /** `includeContext`, for callers that can only name a profile. */
  context: { ...merging, name: "context", atEnd: contextFields },
  /** acpx prints updates as they come, and asks with what the request itself contains. */
  acpx: {
    ...merging,
    name: "acpx",
    always: ["title", "kind", "status"],
    withPermission: ["title", "kind"],
    showsTerminals: false,
  },
  /**
   * `@mcpc-tech/acp-ai-provider` takes an update without a status for a start, arguments from the start
   * alone and results from the end alone: the raw output, or the content where there is none. It cannot read a failure
   * from a raw output that is no list.
   */
  "acp-ai-provider": {
    ...merging,
    name: "acp-ai-provider",
    always: ["title", "status"],
    heldBack: ["rawInput"],
    atStart: ["rawInput"],
    rawValues: "whole",
    failures: "content",
    showsTerminals: false,
  },
  /** For clients that expect complete objects. */
  full: {
    name: "full",
    always: ["status", "content", "locations", "title", "kind", "name", "rawInput", "rawOutput"],
    heldBack: [],
    atStart: [],
    atEnd: [],
    withPermission: ["title", "kind", "content", "locations", "rawInput"],
    rawValues: "whole",
    failures: "raw",
    showsTerminals: true,
  },
} as const satisfies Readonly<Record<string, ClientProfile>>;

export type ProfileName = keyof typeof profiles;

/** The profile for a client by its name; one that merges if it is unknown. */
export function profileOf(clientName: string | undefined): ClientProfile {
  return clientName === "acpx" ? profiles.acpx : profiles.merging;
}

export function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(profiles, name);
}

/** A profile whose final updates carry context too. */
export function withContext(profile: ClientProfile): ClientProfile {
  return { ...profile, atEnd: [...new Set([...profile.atEnd, ...contextFields])] };
}

/** Which fields an update repeats although they did not change. */
export function repeatedFields(
  profile: ClientProfile,
  update: { readonly isStart: boolean; readonly isEnd: boolean; readonly isFailed: boolean },
): readonly ToolCallField[] {
  const needsContent = update.isEnd && update.isFailed && profile.failures === "content";
  return [
    ...profile.always,
    ...(update.isStart ? profile.atStart : []),
    ...(update.isEnd ? profile.atEnd : []),
    ...(needsContent ? (["content"] as const) : []),
  ];
}
