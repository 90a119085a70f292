/** What a call says against its own ok. `isCertain`: there is no innocent explanation. */
export interface Evidence {
  readonly message: string;
  readonly isCertain: boolean;
}
