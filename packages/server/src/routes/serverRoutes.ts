/** All routes of a server, connected. The schemas of each are in its own file. */

import type { AgentHttpSessions } from "@callboard/agent-sdk/mcp";
import type { SavedRules } from "@callboard/agent-sdk/serving";
import { isSameSecret } from "../auth/localToken.js";
import { openApiDocument } from "../http/openapi.js";
import type { Route } from "../http/route.js";
import type { IntakeStreams } from "../intake/intakeStreams.js";
import type { ServerParts } from "../parts.js";
import type { MessageQueues } from "../runs/queue.js";
import type { RunStarter } from "../runs/startRun.js";
import { agUiRoutes } from "./agUi.js";
import { answerLinkRoutes } from "./answerLinks.js";
import { chatRoutes } from "./chat.js";
import { conversationRoutes } from "./conversations.js";
import { executeRoutes } from "./execute.js";
import { intakeRoutes } from "./intake.js";
import { mcpRoutes } from "./mcp.js";
import { type McpLoginDesk, mcpLoginRoutes } from "./mcpLogins.js";
import { openAiRoutes } from "./openAi.js";
import { outputRoutes } from "./outputs.js";
import { queueRoutes } from "./queue.js";
import { ruleRoutes } from "./rules.js";
import { runRoutes } from "./runs.js";
import { type ServiceOptions, serviceRoutes } from "./service.js";
import { shareLinkRoutes } from "./shareLinks.js";
import { sharingRoutes } from "./sharing.js";
import { streamRoutes } from "./stream.js";

export interface ServerRoutesOptions extends Pick<ServiceOptions, "notReady" | "extraMetrics"> {
  readonly starter: RunStarter;
  readonly queues: MessageQueues;
  readonly intakeStreams: IntakeStreams;
  readonly mcpSessions: AgentHttpSessions;
  /** Undefined if no login at an MCP server can be started. */
  readonly loginDesk: McpLoginDesk | undefined;
  /** The rules of the server's one user. Undefined if it has many users: they save none. */
  readonly savedRules: SavedRules | undefined;
  /** The token that gives access to the metrics. Undefined: no access. */
  readonly metricsToken: string | undefined;
  readonly version: string;
  /** Further routes: a page, say. */
  readonly routes?: readonly Route[];
}

export function serverRoutes(parts: ServerParts, options: ServerRoutesOptions): readonly Route[] {
  const { starter, queues, metricsToken, version, routes: more = [], ...service } = options;
  const routes: readonly Route[] = [
    ...executeRoutes(parts, starter, queues),
    ...queueRoutes(queues),
    ...runRoutes(parts),
    ...outputRoutes(parts),
    ...streamRoutes(parts),
    ...conversationRoutes(parts),
    ...sharingRoutes(parts),
    ...shareLinkRoutes(parts),
    ...answerLinkRoutes(parts),
    ...ruleRoutes(options.savedRules),
    ...intakeRoutes(parts, options.intakeStreams),
    ...chatRoutes(parts, starter, queues),
    ...agUiRoutes(parts, starter, queues),
    ...openAiRoutes(parts, starter, queues),
    ...mcpRoutes(parts, starter, options.mcpSessions),
    ...mcpLoginRoutes(parts, options.loginDesk),
    ...serviceRoutes(parts, {
      ...service,
      mayReadMetrics(request, remoteAddress) {
        if (!metricsToken) return false;
        const [, given = ""] =
          /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
        return remoteAddress !== undefined && isSameSecret(given, metricsToken);
      },
      openApi: () => openApiDocument(routes, version),
    }),
    ...more,
  ];
  return routes;
}
