/** The caller of a request. Everything is read and changed with the rights of this caller. */
export interface Identity {
  readonly userId: string;
  /** How it was proved: the token of this start, the page's cookie, a signed token, a browser's fingerprint, or a link. */
  readonly proof: "localToken" | "pageSession" | "jwt" | "fingerprint" | "shareLink";
  /** When the proof expires, in milliseconds since the epoch. Absent if it is valid as long as the server runs. */
  readonly expiresAt?: number;
}

/** The caller of a request, and the identity for limits. */
export interface Caller extends Identity {
  /** The user, or the address of a guest: guests can choose their id, not their address. */
  readonly limitedAs: string;
  /** The span of the request from its `traceparent`: a run that it starts joins the trace. */
  readonly traceparent?: string;
  /** A signal that aborts when the connection of the request is closed. A run that has begun continues without it. */
  readonly left?: () => AbortSignal;
}

/** Returns the caller of a request, or throws a problem; undefined if the request has no credentials. */
export interface Authenticator {
  callerOf(headers: Headers): Promise<Identity | undefined>;
}
