/** The price of tokens, in dollars per million. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Default the price of input. */
  readonly cacheRead?: number;
  /** Default the price of input. */
  readonly cacheWrite?: number;
}

export interface ModelPrice extends TokenPrice {
  /** The prices of a request whose input is longer than this many tokens. */
  readonly above?: TokenPrice & { readonly tokens: number };
}

/** By `provider:model`, or by the model alone for every provider. */
export type Prices = Readonly<Record<string, ModelPrice>>;
