import type { Mutant } from "./mutant.js";

export const agentSdk: readonly Mutant[] = [
  {
    bug: "callbacks that are set on an agent are not told",
    file: "packages/agent-sdk/src/agent.ts",
    find: "      callbacks = agent;\n",
    replace: "",
    tests: ["packages/agent-sdk/src/settableCallbacks.test.ts"],
  },
  {
    bug: "a callback loses the object that it belongs to",
    file: "packages/agent-sdk/src/managers/settableCallbacks.ts",
    find: "this.onAssistantContentUpdated = given.onAssistantContentUpdated?.bind(given);",
    replace: "this.onAssistantContentUpdated = given.onAssistantContentUpdated;",
    tests: ["packages/agent-sdk/src/settableCallbacks.test.ts"],
  },
  {
    bug: "a callback that empties its list of messages empties the agent's",
    file: "packages/agent-sdk/src/managers/messageManager.ts",
    find: "tell.messages([...run.join(earlier)])",
    replace: "tell.messages(Object.assign(run.join(earlier)))",
    tests: ["packages/agent-sdk/src/settableCallbacks.test.ts"],
  },
  {
    bug: "the content callback is called for an answer that came whole",
    file: "packages/agent-sdk/src/agent.ts",
    find: "      isStreaming: parts.setup.stream,\n",
    replace: "",
    tests: ["packages/agent-sdk/src/settableCallbacks.test.ts"],
  },
  {
    bug: "callAgent tells of content although nothing streams",
    file: "packages/agent-sdk/src/services/aiService.ts",
    find: "      if (!options.stream) return;\n",
    replace: "",
    tests: ["packages/agent-sdk/src/services/aiService.test.ts"],
  },
  {
    bug: "updateToolBlock begins a nested agent's call in the conversation",
    file: "packages/agent-sdk/src/utils/messageOperations.ts",
    find: "block.subagentId === parentCallId",
    replace: "false",
    tests: ["packages/agent-sdk/src/utils/messageOperations.test.ts"],
  },
];
