/**
 * The suites for a store or a projection of your own, for Vitest. This entry needs the run log and Vitest alone; the
 * others are used by the tests of this repository.
 */
export { type Law, type LawName, laws } from "./laws.js";
export { lifeNamed, lives } from "./lives/index.js";
export type { Life } from "./lives/life.js";
export {
  describeLogStore,
  type LogStoreSuiteOptions,
  type StoreUnderTest,
} from "./logStoreSuite.js";
export type { Surface } from "./surface.js";
export { describeSurface } from "./surfaceSuite.js";
export { createRandom, type Random } from "./torture/random.js";
