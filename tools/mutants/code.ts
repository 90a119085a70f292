import type { Mutant } from "./mutant.js";

export const code: readonly Mutant[] = [];
