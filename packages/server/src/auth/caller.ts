/** Who makes a request. Everything that is read or changed is read or changed in this name. */
export interface Caller {
  readonly userId: string;
  /** How it was proved: the token of this start, a signed token, or a browser's fingerprint. */
  readonly proof: "localToken" | "jwt" | "fingerprint";
}

/** Says who makes a request, or throws a problem; undefined where nothing was said at all. */
export interface Authenticator {
  callerOf(headers: Headers): Promise<Caller | undefined>;
}
