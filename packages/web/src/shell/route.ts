/** Where the page is, in its address. Every place has one, so that links can be sent. */
export interface Route {
  /** Everything that runs here, instead of one conversation. */
  readonly isOverview?: true;
  /** Two runs beside each other. */
  readonly compared?: readonly [left: string, right: string];
  /** A recording that this browser has kept. */
  readonly recordingId?: string;
  /** The conversation is opened by a link, and nothing else is visible. */
  readonly isVisit?: true;
  /** The link that was opened does not hold. */
  readonly endedLink?: EndedLink;
  readonly conversationId?: string;
  readonly runId?: string;
  readonly callId?: string;
}

const endedLinks = ["expired", "revoked", "unknown"] as const;
export type EndedLink = (typeof endedLinks)[number];

export function routeOf(path: string): Route {
  const [kind, name, ...rest] = path.split("/").slice(1).map(decodedSegment);
  if (kind === "all") return { isOverview: true };
  if (kind === "recording" && name) return { recordingId: name };
  if (kind === "link") {
    return { endedLink: endedLinks.find((one) => one === name) ?? "unknown" };
  }
  const [second] = rest;
  if (kind === "compare" && name && second) return { compared: [name, second] };
  if ((kind !== "c" && kind !== "v") || !name) return {};
  const visit = kind === "v" ? ({ isVisit: true } as const) : {};
  return { ...visit, conversationId: name, ...placeIn(rest) };
}

/** `r/<run>`, or `r/<run>/call/<call>`. */
function placeIn(parts: readonly string[]): Pick<Route, "runId" | "callId"> {
  const [runWord, runId, callWord, callId] = parts;
  if (runWord !== "r" || !runId) return {};
  return callWord === "call" && callId ? { runId, callId } : { runId };
}

export function pathOf(route: Route): string {
  const { isOverview, compared, recordingId, isVisit, endedLink, conversationId, runId, callId } =
    route;
  if (isOverview) return "/all";
  if (recordingId !== undefined) return joinedPath(["recording", recordingId]);
  if (endedLink) return `/link/${endedLink}`;
  if (compared) return joinedPath(["compare", ...compared]);
  if (conversationId === undefined) return "/";
  const parts = [isVisit ? "v" : "c", conversationId];
  if (runId !== undefined) parts.push("r", runId);
  if (runId !== undefined && callId !== undefined) parts.push("call", callId);
  return joinedPath(parts);
}

function joinedPath(parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** In the form that is sent to others. */
export function addressOf(route: Route): string {
  return new URL(pathOf(route), window.location.href).href;
}

/** A mistyped address is not an error. */
function decodedSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
