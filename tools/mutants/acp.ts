import type { Mutant } from "./mutant.js";

export const acp: readonly Mutant[] = [];
