/** The Agent Client Protocol with the smallest true updates: an agent, a builder, a proxy. */
export type { AcpContent, AcpVersion } from "@callboard/run-log/projections";
export type { ModelChoice } from "./agent/configOptions.js";
export type { FolderSetup, SessionAgentOptions } from "./agent/folderSetup.js";
export type { ModeId } from "./agent/modes.js";
export {
  createFilePlaces,
  createMemoryPlaces,
  type SessionPlace,
  type SessionPlaces,
} from "./agent/sessionPlaces.js";
export type { FolderCommand, OfferedCommand } from "./agent/slashCommands.js";
export { acpMetricsText } from "./metrics/acpMetricsText.js";
export { prometheusText } from "./metrics/prometheusText.js";
export * from "./runAcpProxy.js";
export * from "./serveAcp.js";
export { mergedUpdate } from "./updates/mergedUpdate.js";
export * from "./updates/metrics.js";
export { defaultPace, type Pace } from "./updates/pace.js";
export * from "./updates/profiles.js";
export { shapeProblems } from "./updates/protocolShapes.js";
export type {
  FinalStatus,
  SessionUpdate,
  ToolCallField,
  ToolCallStatus,
  ToolCallUpdate,
} from "./updates/sessionUpdate.js";
export * from "./updates/toolCallUpdateBuilder.js";
export * from "./updates/updateEngine.js";
export { updateProblems } from "./updates/updateProblems.js";
export type { UpdateStats } from "./updates/updateStats.js";
export { UpdateWriteError } from "./updates/updateWriteError.js";
