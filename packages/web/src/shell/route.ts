/** Where the page is, in its address: the overview, or a conversation, a run of it, a call of that. Links can be sent. */
export interface Route {
  /** Everything that runs here, instead of one conversation. */
  readonly isOverview?: true;
  readonly conversationId?: string;
  readonly runId?: string;
  readonly callId?: string;
}

export function routeOf(path: string): Route {
  const [kind, conversationId, runWord, runId, callWord, callId] = path
    .split("/")
    .slice(1)
    .map(decoded);
  if (kind === "all") return { isOverview: true };
  if (kind !== "c" || !conversationId) return {};
  if (runWord !== "r" || !runId) return { conversationId };
  if (callWord !== "call" || !callId) return { conversationId, runId };
  return { conversationId, runId, callId };
}

export function pathOf({ isOverview, conversationId, runId, callId }: Route): string {
  if (isOverview) return "/all";
  if (conversationId === undefined) return "/";
  const parts = ["c", conversationId];
  if (runId !== undefined) parts.push("r", runId);
  if (runId !== undefined && callId !== undefined) parts.push("call", callId);
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** As it is sent to somebody. */
export function addressOf(route: Route): string {
  return new URL(pathOf(route), window.location.href).href;
}

/** An address that somebody mistyped is no reason to fail. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
