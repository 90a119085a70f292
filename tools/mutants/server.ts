import type { Mutant } from "./mutant.js";

export const server: readonly Mutant[] = [];
