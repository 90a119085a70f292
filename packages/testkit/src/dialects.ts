/**
 * The table of every dialect. Adding one is one line: its surface joins the list, and from then on it has golden files,
 * property tests and torture tests.
 */
import { createDialect, type Dialect } from "./dialect.js";
import { acpTerminalSurface, acpV1Surface, acpV2Surface } from "./surfaces/acp.js";
import { agUiSurface, agUiTurnsSurface } from "./surfaces/agUi.js";
import { blocksSurface } from "./surfaces/blocks.js";
import { callbacksSurface } from "./surfaces/callbacks.js";
import { logSurface } from "./surfaces/log.js";
import { mcpSurface } from "./surfaces/mcp.js";
import { openAiChatSurface, openAiResponsesSurface } from "./surfaces/openAi.js";
import { rowsSurface } from "./surfaces/rows.js";
import { spansSurface } from "./surfaces/spans.js";
import { stateSurface } from "./surfaces/state.js";
import { streamJsonSurface } from "./surfaces/streamJson.js";
import { terminalSurface } from "./surfaces/terminal.js";
import { toolEventSurface, toolUpdateSurface } from "./surfaces/toolEvent.js";
import { tracksSurface } from "./surfaces/tracks.js";
import { transcriptSurface } from "./surfaces/transcript.js";
import { uiMessageSurface, uiTurnsSurface } from "./surfaces/uiMessage.js";

export const dialects: readonly Dialect[] = [
  createDialect(logSurface),
  createDialect(stateSurface),
  createDialect(callbacksSurface),
  createDialect(blocksSurface),
  createDialect(toolEventSurface),
  createDialect(toolUpdateSurface),
  createDialect(rowsSurface),
  createDialect(spansSurface),
  createDialect(tracksSurface),
  createDialect(transcriptSurface),
  createDialect(uiMessageSurface),
  createDialect(uiTurnsSurface),
  createDialect(agUiSurface),
  createDialect(agUiTurnsSurface),
  createDialect(openAiChatSurface),
  createDialect(openAiResponsesSurface),
  createDialect(mcpSurface),
  createDialect(acpV1Surface),
  createDialect(acpTerminalSurface),
  createDialect(acpV2Surface),
  createDialect(streamJsonSurface),
  createDialect(terminalSurface),
];
