/** A helper process of `npm run torture`: tries the cases that it is sent, one after the other. */
import * as z from "zod";
import { tortureParts } from "./parts.js";
import type { CaseReport } from "./torturePart.js";

const [, , name] = process.argv;
const found = tortureParts.find((part) => part.name === name);
if (found === undefined) throw new Error(`There is no part named ${name}.`);
const part = found;

async function caseReportOf(seed: number): Promise<CaseReport> {
  const tried = part.tryCase(seed);
  return tried instanceof Promise ? await tried : { failure: tried, figures: {} };
}

async function answerParent(message: unknown): Promise<void> {
  const report = await caseReportOf(z.number().parse(message));
  process.send?.(report);
}

// A case that throws ends the process: the rejection is not handled.
process.on("message", (message) => void answerParent(message));
process.on("disconnect", () => process.exit());
