/**
 * The people of the simulated world: they send messages, answer questions, cancel, and send again what was not
 * answered, each time to any node that lives. They see runs as their log says.
 */

import { EventEmitter } from "node:events";
import { openCallsOf, type PendingQuestion } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { questionsOf } from "@callboard/run-log/writing";
import { effectKeyOf } from "./effectKey.js";
import type { KnownRun, Laws } from "./laws.js";
import type { SimNode } from "./node.js";
import type { Actor, World } from "./world.js";

export interface PeopleOptions {
  readonly world: World;
  readonly laws: Laws;
  readonly nodes: () => readonly SimNode[];
}

type WhenBusy = "reject" | "queue" | "steer";

export interface People {
  /** Sends a message, again and again until a node has taken it. */
  say(conversationId: string, whenBusy: WhenBusy): void;
  /** Sends one message to two nodes at the same moment, under one idempotency key. Gives these nodes. */
  sayAtTwoNodes(conversationId: string): readonly SimNode[];
  cancelSomething(): void;
  /** Looks for questions now and then, for as long as the world lasts. */
  watch(): void;
  /** Messages that a node has taken, by their text. */
  readonly accepted: ReadonlySet<string>;
  /** How many messages no node has taken or refused yet. */
  readonly waiting: number;
}

const clientTimeoutMs = 15_000;
const executePath = "/api/agent/execute";

export function createPeople({ world, laws, nodes }: PeopleOptions): People {
  const { random } = world;
  const actor: Actor = { name: "person", isDead: false };
  const answered = new Set<string>();
  let messages = 0;
  const accepted = new Set<string>();
  let waiting = 0;

  const living = (): readonly SimNode[] => nodes().filter(({ server }) => server !== undefined);

  /** The status of the answer of any node; undefined if none came. */
  function ask(path: string, body: object, key?: string): Promise<number | undefined> {
    const found = living();
    return askOf(found.length === 0 ? undefined : random.pick(found), path, body, key);
  }

  function askOf(
    node: SimNode | undefined,
    path: string,
    body: object,
    key?: string,
  ): Promise<number | undefined> {
    return new Promise((resolve) => {
      world.after(clientTimeoutMs, actor, "", () => resolve(undefined));
      if (node?.server === undefined) return;
      const request = new Request(`http://simulated${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...withoutUndefined({ "idempotency-key": key }),
        },
        body: JSON.stringify(body),
      });
      const bindings = { incoming: { socket: {} }, outgoing: new EventEmitter() };
      const { app } = node.server;
      void Promise.resolve(app.fetch(request, bindings)).then((response) => {
        if (node.actor.isDead) return;
        world.after(1 + random.int(5), actor, "", () => resolve(response.status));
      });
    });
  }

  /** Sends it to the node, if one is given, then to any until one has answered, which one does after the last fault. */
  function send(key: string, body: object, first?: SimNode): void {
    waiting += 1;
    const attempt = (asked: Promise<number | undefined>): void => {
      void asked.then((status) => {
        world.note("person", `${key}: ${status ?? "no answer"}`);
        if (status !== undefined && status < 300) accepted.add(key);
        if (status !== undefined && status < 500) waiting -= 1;
        else {
          world.after(500 + random.int(2_000), actor, "", () =>
            attempt(ask(executePath, body, key)),
          );
        }
      });
    };
    attempt(first ? askOf(first, executePath, body, key) : ask(executePath, body, key));
  }

  function nextMessage(
    conversationId: string,
    whenBusy: WhenBusy,
  ): { readonly key: string; readonly body: object } {
    messages += 1;
    const key = `message ${messages}`;
    const busy = { when_busy: whenBusy, stream: false };
    return { key, body: { conversation_id: conversationId, user_input: key, ...busy } };
  }

  function answerOne(run: KnownRun, question: PendingQuestion): void {
    const { id } = run.row;
    if (question.type === "result") {
      const path = `/api/agent/runs/${id}/calls/${question.callId}/result`;
      void ask(path, { output: "left" }).then(noted(`answers ${question.callId}`));
      return;
    }
    const { approvalId, callId } = question;
    const isDone = laws.hasEffect(effectKeyOf(id, callId));
    const option_id = isDone || random.int(5) === 0 ? "reject_once" : "allow_once";
    const path = `/api/agent/runs/${id}/approvals/${approvalId}`;
    void ask(path, { option_id }).then(noted(`${option_id} ${callId}`));
    if (random.int(4) > 0 || isDone) return;
    // Somebody else answers at the same time, perhaps otherwise.
    const other = random.pick(["allow_once", "reject_once"]);
    void ask(path, { option_id: other }).then(noted(`also ${other} ${callId}`));
  }

  const noted = (what: string) => (status: number | undefined) =>
    world.note("person", `${what}: ${status ?? "no answer"}`);

  function look(): void {
    for (const run of laws.runs.values()) {
      if (run.state.status !== "open") continue;
      for (const question of questionsOf(run.state)) {
        const key = `${run.row.id} ${question.callId} ${question.type === "approval" ? question.approvalId : ""}`;
        // A person whose request is lost asks again later.
        if (answered.has(key) && random.int(4) > 0) continue;
        answered.add(key);
        answerOne(run, question);
      }
    }
    world.after(500 + random.int(4_000), actor, "", look);
  }

  return {
    say(conversationId, whenBusy) {
      const { key, body } = nextMessage(conversationId, whenBusy);
      send(key, body);
    },
    sayAtTwoNodes(conversationId) {
      const { key, body } = nextMessage(conversationId, "reject");
      const [one, other] = living();
      for (const node of [one, other]) send(key, body, node);
      return [one, other].filter((node) => node !== undefined);
    },
    watch: look,
    cancelSomething() {
      const open = [...laws.runs.values()].filter(({ state }) => state.status === "open");
      const run = open.length === 0 ? undefined : random.pick(open);
      if (run?.state.status !== "open") return;
      const calls = openCallsOf(run.state);
      const call = random.int(2) === 0 && calls.length > 0 ? random.pick(calls) : undefined;
      const body = call === undefined ? {} : { call_id: call.callId };
      const what = call === undefined ? `cancels run ${run.row.id}` : `cancels ${call.callId}`;
      void ask(`/api/agent/runs/${run.row.id}/cancel`, body).then(noted(what));
    },
    accepted,
    get waiting() {
      return waiting;
    },
  };
}
