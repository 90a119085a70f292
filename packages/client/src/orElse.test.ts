import { expect, it } from "vitest";
import * as z from "zod/mini";
import { orElse } from "./orElse.js";

const schema = z.object({
  name: orElse(z.string(), "nobody"),
  ages: orElse(z.optional(z.array(z.number())), []),
});

it("keeps what fits", () => {
  expect(schema.parse({ name: "Ada", ages: [36] })).toEqual({ name: "Ada", ages: [36] });
});

it("gives the value for what does not fit, and for what is absent where the schema wants something", () => {
  expect(schema.parse({ name: 1, ages: ["old"] })).toEqual({ name: "nobody", ages: [] });
  expect(schema.parse({})).toEqual({ name: "nobody", ages: undefined });
});
