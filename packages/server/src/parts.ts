/** What the routes of a server share. Made once, in `createServer`. */
import type { Clock, Logger, Redactor, ToolDefinition } from "@callboard/agent-sdk";
import type {
  AnswerLinks,
  ConversationRows,
  ForkOptions,
  ShareLinks,
  Sharing,
} from "@callboard/store";
import type { RateLimit } from "./http/rateLimit.js";
import type { Hub } from "./live/hub.js";
import type { NodeBus } from "./live/nodeBus.js";
import type { StreamRights } from "./live/streamRights.js";
import type { Metrics } from "./metrics.js";
import type { ClientCalls } from "./runs/clientTools.js";
import type { Commands } from "./runs/commands.js";
import type { OtherPrograms } from "./runs/otherPrograms.js";
import type { OutputFiles } from "./runs/outputFiles.js";
import type { RunHost } from "./runs/runHost.js";
import type { AgentDirectory, ServedAgent } from "./runs/servedAgent.js";
import type { RunStore, Viewer } from "./stores/runStore.js";
import type { OpenStreams } from "./streams/openStreams.js";

export interface ServerParts {
  readonly store: RunStore;
  readonly conversations: ConversationRows;
  readonly sharing: Sharing;
  readonly shareLinks: ShareLinks;
  readonly answerLinks: AnswerLinks;
  /** The id of the new conversation; undefined if there is no such position. */
  readonly fork: (options: ForkOptions) => Promise<string | undefined>;
  readonly host: RunHost;
  /** Programs on the same home. Absent if there are none. */
  readonly others: OtherPrograms | undefined;
  readonly commands: Commands;
  readonly clientCalls: ClientCalls;
  /** The tools of an agent that names none, as one user has them. */
  readonly builtinTools: (agent: ServedAgent, user: Viewer) => readonly ToolDefinition[];
  readonly outputFiles: OutputFiles;
  readonly directory: AgentDirectory;
  /** For whatever leaves to people who do not own it. */
  readonly redactor: Redactor;
  readonly hub: Hub;
  readonly bus: NodeBus;
  readonly streams: OpenStreams;
  readonly rights: StreamRights;
  /** What each caller has read: whoever has read too much is refused for a while. */
  readonly readBytes: Pick<RateLimit, "spend">;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly newId: () => string;
}
