/**
 * What is known of a session in addition to its log: the folder in which it was started. `<session>/facts.json`, written
 * once. A missing or broken file is ignored: the session is usable without it.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "@callboard/run-log/values";
import * as z from "zod/mini";

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

/** The first value stays. */
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
