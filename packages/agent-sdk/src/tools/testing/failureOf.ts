/** What a tool failed with; anything but a ToolFailure is thrown on. */
import { ToolFailure } from "../../utils/toolFailure.js";

export async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<ToolFailure> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}
