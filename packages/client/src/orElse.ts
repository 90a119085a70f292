import * as z from "zod/mini";

/**
 * What the schema reads, or the value if the field is absent or invalid. Like `z.catch`, which in `zod/mini` prevents a
 * bundler from dropping a third of zod.
 */
export function orElse<Schema extends z.ZodMiniType, const Value>(
  schema: Schema,
  value: Value,
): z.ZodMiniPipe<
  z.ZodMiniOptional<z.ZodMiniUnknown>,
  z.ZodMiniTransform<z.output<Schema> | Value>
> {
  return z.pipe(
    z.optional(z.unknown()),
    z.transform((input: unknown) => {
      const read = schema.safeParse(input);
      return read.success ? read.data : value;
    }),
  );
}
