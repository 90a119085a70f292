import type { Mutant } from "./mutant.js";

export const web: readonly Mutant[] = [];
