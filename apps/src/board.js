/** A real server on a home of its own, and what its board says of the sessions in it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createFileSessionStore, systemClock } from "@callboard/agent-sdk";
import { startServer } from "@callboard/server";

const patienceMs = 20_000;
const lookAgainMs = 50;

export async function startBoard() {
  const home = await mkdtemp(join(tmpdir(), "callboard-apps-"));
  const logger = { debug: quiet, info: quiet, warn: console.error, error: console.error };
  const server = await startServer({ port: 0, home, env: { CALLBOARD_HOME: home }, logger });
  const headers = { authorization: `Bearer ${server.token}` };

  async function listAt(path) {
    const response = await fetch(`${server.url}${path}`, { headers });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()).items;
  }

  /** What was said and called in a conversation, one line each, with the end of its last run. */
  async function linesOf(conversationId) {
    const path = `/api/conversations/${conversationId}`;
    const [messages, calls, runs] = await Promise.all([
      listAt(`${path}/messages`),
      listAt(`${path}/tool-calls`),
      listAt(`${path}/runs`),
    ]);
    const said = messages.flatMap(({ role, content }) =>
      content.flatMap(({ type, text }) => (type === "text" ? [`${role}: ${text}`] : [])),
    );
    const called = calls.map(
      ({ tool_name, status, output, error_message, parent_call_id }) =>
        `${parent_call_id === null ? "" : "nested "}${tool_name} ${status}: ${output ?? error_message}`,
    );
    const ended = runs.map(({ run_status, finish_reason }) => `run ${run_status} ${finish_reason}`);
    return [...said, ...called, ...ended];
  }

  return {
    url: server.url,
    headers,
    /** The sessions of the home, as `recordStream` finds them where no store is given. */
    sessions: createFileSessionStore({ home, logger, clock: systemClock }),
    /**
     * Waits until the board shows exactly these lines of one conversation, in any order, beside what was asked.
     * @param {string} prompt what the person asked in it, which is its title
     * @param {readonly string[]} expected
     */
    async shows(prompt, expected) {
      const wanted = sortedText([`user: ${prompt}`, ...expected]);
      const end = Date.now() + patienceMs;
      for (;;) {
        const list = await listAt("/api/conversations");
        const found = list.filter(({ title }) => title === prompt);
        const lines = found[0] === undefined ? [] : await linesOf(found[0].id);
        if (found.length === 1 && sortedText(lines) === wanted) return;
        if (Date.now() > end) {
          const there = found.length === 1 ? lines : list.map(({ title }) => title);
          throw new Error(`the board shows ${JSON.stringify(there, undefined, 1)}`);
        }
        await setTimeout(lookAgainMs);
      }
    },
    async close() {
      await server.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** @param {readonly string[]} lines */
function sortedText(lines) {
  return JSON.stringify(lines.toSorted((one, other) => one.localeCompare(other)));
}

function quiet() {}
