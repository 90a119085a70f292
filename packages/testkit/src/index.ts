/** What every room of Callboard is held to: golden and random lives, laws, conformance suites. */
export { arbitraryLife, type RandomLife, randomLife, seededLife } from "./arbitraryLife.js";
export { createDialect, type Dialect } from "./dialect.js";
export { dialects } from "./dialects.js";
export * from "./laws.js";
export { lifeNamed, lives } from "./lives/index.js";
export { createLife, type Life } from "./lives/life.js";
export { describeLogStore } from "./logStoreSuite.js";
export {
  type MutatedHistory,
  type MutationKind,
  mutate,
  mutatedBy,
  mutationKinds,
} from "./mutate.js";
export { lifeOfCall, violationOf } from "./plainReading.js";
export * from "./situations.js";
export type { Surface } from "./surface.js";
export { createRandom, type Random } from "./torture/random.js";
export type { TorturePart } from "./torture/torturePart.js";
