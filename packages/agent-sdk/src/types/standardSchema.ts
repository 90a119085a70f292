/**
 * A schema of any library that follows Standard Schema version 1: zod, valibot, arktype and others. Written
 * out here, so that no such library is part of our types.
 */
export interface StandardSchema<Output> {
  readonly "~standard": {
    readonly version: 1;
    /** `zod`, `valibot`, `arktype`. */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
