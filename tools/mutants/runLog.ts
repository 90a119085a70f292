import type { Mutant } from "./mutant.js";

export const runLog: readonly Mutant[] = [];
