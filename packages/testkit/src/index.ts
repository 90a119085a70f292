/** The tests that every package shares: golden and random runs, rules, conformance suites. */

export { createFakeClock, type FakeClock } from "@callboard/agent-sdk/testing";
export { type AcpClient, type AcpClientState, createAcpClient } from "./acpClient.js";
export {
  type AcpFault,
  type AcpLine,
  acpFaults,
  healthyAcp,
  wholeTalk,
} from "./acpFaults/index.js";
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
export { builtProgram } from "./programs/builtProgram.js";
export { searchCount, searchedOf } from "./searchCount.js";
export * from "./situations.js";
export type { Surface } from "./surface.js";
export {
  type FakeProvider,
  type ProviderReply,
  type ProviderStep,
  startFakeProvider,
} from "./torture/cli/fakeProvider.js";
export { type CutReading, readWithCuts } from "./torture/http/cutReader.js";
export { startRedis, type TestRedis } from "./torture/http/redis.js";
export { createRandom, type Random } from "./torture/random.js";
export type { TorturePart } from "./torture/torturePart.js";
export { type OAuthServer, startOAuthServer } from "./web/oauthServer.js";
export { type Handle, startWebServer, type WebServer } from "./web/webServer.js";
