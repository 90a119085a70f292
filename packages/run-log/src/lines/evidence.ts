/** Evidence against the ok of a call. `isCertain`: there is no other explanation. */
export interface Evidence {
  readonly message: string;
  readonly isCertain: boolean;
}
