/** Who makes a request. Everything that is read or changed is read or changed in this name. */
export interface Identity {
  readonly userId: string;
  /** How it was proved: the token of this start, the page's cookie, a signed token, a browser's fingerprint, or a link. */
  readonly proof: "localToken" | "pageSession" | "jwt" | "fingerprint" | "shareLink";
  /** Until when the proof holds, in milliseconds since the epoch. Absent where it holds as long as the server. */
  readonly expiresAt?: number;
}

/** Who makes a request, and as whom it is counted. */
export interface Caller extends Identity {
  /** The user, or the address of a guest: guests can choose who they are, not where they are. */
  readonly limitedAs: string;
  /** The span that the request belongs to, as its `traceparent` says: a run that it begins joins the trace. */
  readonly traceparent?: string;
}

/** Says who makes a request, or throws a problem; undefined where nothing was said at all. */
export interface Authenticator {
  callerOf(headers: Headers): Promise<Identity | undefined>;
}
