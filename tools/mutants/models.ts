import type { Mutant } from "./mutant.js";

export const models: readonly Mutant[] = [];
