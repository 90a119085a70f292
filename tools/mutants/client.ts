import type { Mutant } from "./mutant.js";

export const client: readonly Mutant[] = [];
