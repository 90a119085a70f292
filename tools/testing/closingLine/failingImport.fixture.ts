import { it } from "vitest";

it("is never reached", () => undefined);
throw new Error("the file cannot be imported");
