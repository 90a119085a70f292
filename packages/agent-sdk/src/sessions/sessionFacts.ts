/**
 * What is known of a session beside its log: the folder that it was begun in. `<session>/facts.json`, written
 * once. A file that is missing or broken says nothing: the session is as good without it.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { systemCodeOf } from "../utils/systemCode.js";

const factsSchema = z.object({ folder: z.exactOptional(z.string()) });
export type SessionFacts = Readonly<z.infer<typeof factsSchema>>;

const factsName = "facts.json";

export async function readSessionFacts(folder: string): Promise<SessionFacts> {
  try {
    const parsed = factsSchema.safeParse(
      JSON.parse(await readFile(join(folder, factsName), "utf8")),
    );
    return parsed.success ? parsed.data : {};
  } catch (error) {
    if (systemCodeOf(error) !== undefined || error instanceof SyntaxError) return {};
    throw error;
  }
}

/** What was kept first stays. */
export async function keepSessionFacts(folder: string, facts: SessionFacts): Promise<void> {
  try {
    await writeFile(join(folder, factsName), `${JSON.stringify(facts)}\n`, {
      flag: "wx",
      mode: 0o600,
    });
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
  }
}
