import type { Mutant } from "./mutant.js";

export const agentSdk: readonly Mutant[] = [];
