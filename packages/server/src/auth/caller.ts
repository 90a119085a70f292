/** Who makes a request. Everything that is read or changed is read or changed in this name. */
export interface Caller {
  readonly userId: string;
  /** How it was proved: the token of this start, the page's cookie, a signed token, or a browser's fingerprint. */
  readonly proof: "localToken" | "pageSession" | "jwt" | "fingerprint";
  /** Until when the proof holds, in milliseconds since the epoch. Absent where it holds as long as the server. */
  readonly expiresAt?: number;
}

/** Says who makes a request, or throws a problem; undefined where nothing was said at all. */
export interface Authenticator {
  callerOf(headers: Headers): Promise<Caller | undefined>;
}
