/**
 * A call that needs a login of the person, and asks for it: a question with the address of a login page, within the
 * call. The server has refused the call without processing it, so it is sent again after the answer. A server without
 * any login lists no tools: a tool of ours, which asks for the login, replaces them.
 */

import type { QuestionOutcome, ToolContext, ToolDefinition } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";
import type { ServerConnection } from "./serverConnection.js";

const loggedInAnswer = "I have logged in";
/** A login that does not help is not requested again and again. */
const mostQuestions = 3;

/** Sends a call, and asks for a login as long as it fails because of a missing one. */
export async function withLogin<Result>(
  server: Pick<ServerConnection, "name" | "loginUrl">,
  { askUser }: Pick<ToolContext, "askUser">,
  call: () => Promise<Result>,
): Promise<Result> {
  for (let asked = 0; ; asked += 1) {
    try {
      return await call();
    } catch (error) {
      const isLogin = error instanceof ToolFailure && error.errorType === "mcp_login";
      const url = isLogin ? server.loginUrl() : undefined;
      if (url === undefined || askUser === undefined || asked === mostQuestions) throw error;
      const outcome = await askUser({
        question: `The MCP server ${server.name} needs your login. Open the link, log in there, and answer then.`,
        url,
        choices: [loggedInAnswer],
      });
      if (outcome.status !== "answered") throw refusedLogin(server.name, outcome, error);
    }
  }
}

function refusedLogin(
  server: string,
  { status }: Exclude<QuestionOutcome, { readonly status: "answered" }>,
  cause: unknown,
): ToolFailure {
  const what = { declined: "declined to", expired: "did not", cancelled: "did not" }[status];
  return new ToolFailure("mcp_login", `The person ${what} log in at the MCP server ${server}.`, {
    suggestion: `Continue without the tools of ${server}.`,
    cause,
  });
}

/** Replaces the tools of a server that lists none before a login. */
export function logInToolOf(name: string, server: ServerConnection): ToolDefinition {
  return {
    name,
    description: `Asks the person to log in at the MCP server ${server.name}, whose tools cannot be used before. Call it when you need that server.`,
    kind: "other",
    toolType: "external_mcp",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    concurrency: "exclusive",
    timeoutMs: server.timeoutMs,
    retries: 0,
    // It only asks.
    needsApproval: false,
    aliases: [],
    approvalTarget: () => "",
    compactParams: () => undefined,
    title: () => `${server.name}: log in`,
    locations: () => [],
    inputProblem: () => undefined,
    async execute(_, context) {
      await withLogin(server, context, () => server.reach(context.signal));
      const tools = server.tools().map((tool) => tool.name);
      return {
        output: `Logged in at ${server.name}. From the next message on these tools of it can be called: ${tools.join(", ")}.`,
      };
    },
  };
}
