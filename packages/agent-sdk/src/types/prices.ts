/** What tokens cost, in dollars per million. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Default the price of input. */
  readonly cacheRead?: number;
  /** Default the price of input. */
  readonly cacheWrite?: number;
}

export interface ModelPrice extends TokenPrice {
  /** What everything costs in a request whose input is longer than so many tokens. */
  readonly above?: TokenPrice & { readonly tokens: number };
}

/** By `provider:model`, or by the model alone whoever serves it. */
export type Prices = Readonly<Record<string, ModelPrice>>;
