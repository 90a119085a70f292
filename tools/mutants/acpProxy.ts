import type { Mutant } from "./mutant.js";

type Tests = Mutant["tests"];

const untouched: Tests = ["packages/acp/src/proxy/untouched.test.ts"];
const special: Tests = ["packages/acp/src/updates/special.test.ts"];
const names: Tests = ["packages/acp/src/proxy/names.test.ts"];
const faults: Tests = ["packages/testkit/src/acpFaults/acpFaults.test.ts"];

/** What the proxy passes, keeps and names, and what the checker says of the talk around calls. */
export const acpProxy: readonly Mutant[] = [
  {
    bug: "a number that cannot be held is written again as another one",
    file: "packages/acp/src/proxy/proxyCore.ts",
    find: "const isInexact = options.isInexact?.(message) === true;",
    replace: "const isInexact = false;",
    tests: ["packages/acp/src/runAcpProxy.e2e.test.ts"],
  },
  {
    bug: "a message with a number out of reach is no message",
    file: "packages/acp/src/proxy/lines.ts",
    find: "JSON.parse(text, isInexact ? finite : undefined);",
    replace: "JSON.parse(text);",
    tests: ["packages/acp/src/runAcpProxy.e2e.test.ts"],
  },
  {
    bug: "a line that is no message overtakes the updates before it",
    file: "packages/acp/src/runAcpProxy.ts",
    find: "      await core.settle();\n",
    replace: "",
    tests: ["packages/acp/src/runAcpProxy.e2e.test.ts"],
  },
  {
    bug: "digits in a string count as those of a number",
    file: "packages/acp/src/proxy/inexactNumbers.ts",
    find: "at = endOfString(json, quote);",
    replace: "at = quote + 1;",
    tests: ["packages/acp/src/proxy/inexactNumbers.test.ts"],
  },
  {
    bug: "a process of its own session that speaks on the agent's output outlives it",
    file: "packages/acp/src/proxy/agentProcess.ts",
    find: '[ -n "$2" ] && [ -n "$3" ] || exit 0',
    replace: "exit 0",
    tests: ["packages/acp/src/proxyProcess.e2e.test.ts"],
  },
  {
    bug: "the reason does not say that a signal ended the agent",
    file: "packages/acp/src/runAcpProxy.ts",
    find: "const how = signal === null ?",
    replace: "const how = signal !== undefined ?",
    tests: ["packages/acp/src/proxyProcess.e2e.test.ts"],
  },
  {
    bug: "the proxy reads every kind of update that sounds like a call",
    file: "packages/acp/src/updates/updateKinds.ts",
    find: 'return callKinds.has(kind) || (kind === "tool_call_content_chunk" && isJsonObject(content));',
    replace: 'return kind.startsWith("tool_call");',
    tests: untouched,
  },
  {
    bug: "bytes that are no base64 are written otherwise behind the proxy",
    file: "packages/acp/src/updates/updateKinds.ts",
    find: 'return typeof data === "string" && Buffer.from(data, "base64").toString("base64") === data;',
    replace: 'return typeof data === "string";',
    tests: untouched,
  },
  {
    bug: "the _meta of a chunk is lost",
    file: "packages/acp/src/updates/callDiffer.ts",
    find: 'update: { ...beside, sessionUpdate: "tool_call_content_chunk", toolCallId, content },',
    replace: 'update: { sessionUpdate: "tool_call_content_chunk", toolCallId, content },',
    tests: special,
  },
  {
    bug: "a chunk with fields of its own is joined with its neighbours",
    file: "packages/acp/src/updates/chunkQueue.ts",
    find: "if (last === undefined || !isPlain(last) || !isPlain(chunk)) joined.push(chunk);",
    replace: "if (last === undefined) joined.push(chunk);",
    tests: special,
  },
  {
    bug: "bytes with fields of their own are joined with those before them",
    file: "packages/acp/src/updates/terminalPieces.ts",
    find: "const other = waiting.findIndex((piece) => !isPlain(piece));",
    replace: "const other = waiting.findIndex((piece) => isPlain(piece) && piece === first);",
    tests: special,
  },
  {
    bug: "the _meta of a terminal is lost where its write failed",
    file: "packages/acp/src/updates/streamDiffers.ts",
    find: "if (patch) metas.putBack(patch);",
    replace: "",
    tests: special,
  },
  {
    bug: "text that waits to be appended is dropped when the same content is offered whole",
    file: "packages/acp/src/updates/callDiffer.ts",
    find: "    if (!isNews) return false;\n    dirty.add(field);",
    replace:
      '    if (!isNews) { if (field === "content") chunks.clear(); return false; }\n    dirty.add(field);',
    tests: special,
  },
  {
    bug: "a whole call under the id of an ended one is swallowed in the same turn",
    file: "packages/acp/src/proxy/callNames.ts",
    find: "const isAnother = call.turn < names.turn || isOther(call.work, work);",
    replace: "const isAnother = call.turn < names.turn;",
    tests: ["packages/acp/src/proxy/mending.test.ts"],
  },
  {
    bug: "what stands beside the output of a terminal is lost when two pieces are joined",
    file: "packages/acp/src/updates/outputQueue.ts",
    find: "if (!isSameJson(rest, others)) return undefined;",
    replace: "if (rest === others) return undefined;",
    tests: special,
  },
  {
    bug: "the proxy cuts long values of its agent",
    file: "packages/acp/src/proxy/proxyCore.ts",
    find: "write: writer.write, maxText: longestLine };",
    replace: "write: writer.write, maxText: 65_536 };",
    tests: untouched,
  },
  {
    bug: "the proxy closes the calls of a turn when another prompt is refused",
    file: "packages/acp/src/proxy/proxyCore.ts",
    find: "version() === 1 ? !isInner : isFailed && !running.has(sessionId);",
    replace: "version() === 1 || isFailed;",
    tests: untouched,
  },
  {
    bug: "the first of two prompts ends no turn behind the proxy",
    file: "packages/acp/src/proxy/messageParts.ts",
    find: "if (other === key) return false;",
    replace: "",
    tests: untouched,
  },
  {
    bug: "a form names a renamed call by the id of another one",
    file: "packages/acp/src/proxy/proxyCore.ts",
    find: "return toClient(requestForClient(message, names));",
    replace: "return toClient(message);",
    tests: names,
  },
  {
    bug: "a question about a command is asked under the id of a call that has ended",
    file: "packages/acp/src/proxy/namedMessages.ts",
    find: "names.asked(sessionId, id));",
    replace: "names.nameOf(sessionId, id));",
    tests: names,
  },
  {
    bug: "a client that cancels a renamed terminal names it so to the agent",
    file: "packages/acp/src/proxy/namedMessages.ts",
    find: 'withNames(params, ["toolCallId", "terminalId"], (name) =>',
    replace: 'withNames(params, ["toolCallId"], (name) =>',
    tests: names,
  },
  {
    bug: "bytes that are no UTF-8 are replaced by the proxy",
    file: "packages/acp/src/proxy/lines.ts",
    find: 'for (const split of splitter.push(Buffer.from(chunk).toString("latin1"))) {',
    replace:
      'for (const split of splitter.push(Buffer.from(Buffer.from(chunk).toString()).toString("latin1"))) {',
    tests: ["packages/acp/src/runAcpProxy.e2e.test.ts"],
  },
  {
    bug: "nobody is told of a long line whose id comes last",
    file: "packages/acp/src/proxy/lines.ts",
    find: "const id = first ?? last;",
    replace: "const id = first;",
    tests: ["packages/acp/src/proxy/lines.test.ts"],
  },
  {
    bug: "an agent that closed its output is waited for",
    file: "packages/acp/src/runAcpProxy.ts",
    find: "void fromAgent.then(() => agent.stop(graceMs));",
    replace: "",
    tests: ["packages/acp/src/proxyProcess.e2e.test.ts"],
  },
  {
    bug: "the checker takes a released terminal for an open one",
    file: "packages/run-log/src/checker/readers/acpTerminals.ts",
    find: 'if (method === "terminal/release") terminal.isReleased = true;',
    replace: "",
    tests: faults,
  },
  {
    bug: "the checker takes a terminal that is shown again for one that is shown too late",
    file: "packages/run-log/src/checker/readers/acpTerminals.ts",
    find: "if (!terminal || terminal.isShown) return [];",
    replace: "if (!terminal) return [];",
    tests: ["packages/run-log/src/checker/readers/acp.test.ts"],
  },
  {
    bug: "the checker knows a session that was closed",
    file: "packages/run-log/src/checker/readers/acpTalk.ts",
    find: 'if (closing.has(request.method) && result) closed.add(request.session ?? "");',
    replace: "",
    tests: faults,
  },
  {
    bug: "the answer to an agent's request is taken for that of the prompt with the same number",
    file: "packages/run-log/src/lines/acp/connection.ts",
    find: "const isOfClient = isOther || fieldsOf(result?.outcome) !== undefined;",
    replace: "const isOfClient = fieldsOf(result?.outcome) !== undefined && !isOther;",
    tests: ["packages/run-log/src/checker/readers/acp.test.ts"],
  },
];
