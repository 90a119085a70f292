import type { Mutant } from "./mutant.js";

export const store: readonly Mutant[] = [];
