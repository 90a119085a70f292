/**
 * The turns of the models of one run: when each was called, when the first part of its answer came and when the answer
 * was complete; and when the context was compacted. The cost of an event depends on the event alone.
 */
import type { ContextSize, EventOf, RunEvent, Usage } from "@callboard/run-log";

interface TurnPlace {
  /** The same for the same turn. */
  readonly turnId: string;
  readonly runId: string;
  /** The call of the nested agent whose model it is. */
  readonly parentCallId?: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly closedAt?: number;
}

export interface AnswerTurn extends TurnPlace {
  readonly kind: "answer";
  /** When the first part of the answer came; absent while it is awaited, and if none came. */
  readonly firstAt?: number;
  /** How often the request was retried before the answer came. */
  readonly retries: number;
  /** When it was retried; absent if it was not. */
  readonly retriedAt?: readonly number[];
  /** The start of its text, once a text of it is complete. */
  readonly said?: string;
  /** The calls that the answer made. */
  readonly calls: number;
  readonly model?: string;
  readonly usage?: Usage;
}

export interface CompactionTurn extends TurnPlace {
  readonly kind: "compaction";
  readonly before?: ContextSize;
  readonly after?: ContextSize;
}

export type Turn = AnswerTurn | CompactionTurn;

export interface Turns {
  /** Whether the event changed any. */
  push(event: RunEvent): boolean;
  /** In the order of asking; the same list until one of them changes. */
  readonly list: readonly Turn[];
  copy(): Turns;
}

interface Remembered {
  readonly turns: readonly Turn[];
  /** By nested agent, the run's own under "": where its open turn is, and how many calls are open. */
  readonly scopes: ReadonlyMap<string, Scope>;
  /** By call: the scope in which it is open, if a model made it. */
  readonly calls: ReadonlyMap<string, string>;
  /** The open calls that nested agents work for. */
  readonly agents: ReadonlySet<string>;
  /** By message: its scope, and the place of its turn if it is an answer. */
  readonly messages: ReadonlyMap<string, MessagePlace>;
}

interface Scope {
  readonly turn?: number;
  readonly openCalls: number;
}

interface MessagePlace {
  readonly scope: string;
  readonly turn?: number;
}

const longestSaid = 100;

const nothing: Remembered = {
  turns: [],
  scopes: new Map(),
  calls: new Map(),
  agents: new Set(),
  messages: new Map(),
};

export function createTurns(begun: Remembered = nothing): Turns {
  const turns = [...begun.turns];
  const scopes = new Map(begun.scopes);
  const calls = new Map(begun.calls);
  const agents = new Set(begun.agents);
  const messages = new Map(begun.messages);
  let list: readonly Turn[] | undefined;

  function change<Kind extends Turn["kind"]>(
    place: number | undefined,
    kind: Kind,
    more: Partial<Extract<Turn, { kind: Kind }>>,
  ): boolean {
    const turn = place === undefined ? undefined : turns[place];
    if (place === undefined || turn?.kind !== kind) return false;
    turns[place] = { ...turn, ...more };
    return true;
  }

  function scopeOf(name: string): Scope {
    return scopes.get(name) ?? { openCalls: 0 };
  }

  function add(turn: Turn, scope: string): boolean {
    scopes.set(scope, { ...scopeOf(scope), turn: turns.push(turn) - 1 });
    return true;
  }

  /** The model is called once everything before its answer is done. */
  function ask(event: RunEvent, scope: string): boolean {
    const { openCalls, turn } = scopeOf(scope);
    if (openCalls > 0 || turn !== undefined) return false;
    return add({ ...turnPlaceOf(event, scope), kind: "answer", retries: 0, calls: 0 }, scope);
  }

  function answerBegan(event: EventOf<"message.opened">, scope: string): boolean {
    const { turn } = scopeOf(scope);
    if (turn === undefined || turns[turn]?.kind !== "answer") {
      const begun = { ...turnPlaceOf(event, scope), kind: "answer", retries: 0, calls: 0 } as const;
      add({ ...begun, firstAt: event.at }, scope);
    } else change(turn, "answer", { firstAt: event.at });
    messages.set(event.messageId, { scope, ...scopeOf(scope) });
    return true;
  }

  function messageClosed(event: EventOf<"message.closed">): boolean {
    const { messageId, at } = event;
    const message = messages.get(messageId);
    if (!message) return false;
    const { scope, turn } = message;
    if (turn === undefined) return ask(event, scope);
    const { turn: _, ...rest } = scopeOf(scope);
    scopes.set(scope, rest);
    return change(turn, "answer", { closedAt: at });
  }

  function callOpened(event: EventOf<"call.opened">): boolean {
    if (event.openedBy === "user") return false;
    const scope = event.parentCallId ?? "";
    calls.set(event.callId, scope);
    if (event.toolType === "agent") agents.add(event.callId);
    const { openCalls } = scopeOf(scope);
    scopes.set(scope, { ...scopeOf(scope), openCalls: openCalls + 1 });
    const place = messages.get(event.messageId)?.turn;
    const turn = place === undefined ? undefined : turns[place];
    if (event.openedBy === "limit") return dropTurn(event.messageId, place);
    return turn?.kind === "answer" && change(place, "answer", { calls: turn.calls + 1 });
  }

  /** A limit asked a person for more: no model was called. Turns of nested agents that came later keep their place. */
  function dropTurn(messageId: string, place: number | undefined): boolean {
    const message = messages.get(messageId);
    messages.delete(messageId);
    if (message === undefined || place === undefined) return false;
    const { turn: _, ...rest } = scopeOf(message.scope);
    scopes.set(message.scope, rest);
    if (place !== turns.length - 1)
      return change(place, "answer", { closedAt: turns[place]?.askedAt ?? 0 });
    turns.pop();
    return true;
  }

  function callClosed(event: EventOf<"call.closed">): boolean {
    const scope = calls.get(event.callId);
    calls.delete(event.callId);
    agents.delete(event.callId);
    const inside = scopeOf(event.callId).turn;
    scopes.delete(event.callId);
    const isEnded = change(inside, "answer", { closedAt: event.at });
    if (scope === undefined) return isEnded;
    const known = scopeOf(scope);
    scopes.set(scope, { ...known, openCalls: Math.max(0, known.openCalls - 1) });
    return ask(event, scope) || isEnded;
  }

  /** A model that was called and has not started to answer when the run ends without a failure has no turn. */
  function runClosed({ at, outcome }: EventOf<"run.closed">): boolean {
    const { turn: place } = scopeOf("");
    const turn = place === undefined ? undefined : turns[place];
    scopes.clear();
    if (!turn) return false;
    const isAwaited = turn.kind === "answer" && turn.firstAt === undefined;
    if (isAwaited && (outcome === "ok" || outcome === "limit")) {
      turns.pop();
      return true;
    }
    return change(place, turn.kind, { closedAt: at });
  }

  function compacted(event: EventOf<"context.compacted">): boolean {
    const scope = event.parentCallId ?? "";
    const { before, after, at } = event;
    const { turn } = scopeOf(scope);
    const known = turn === undefined ? undefined : turns[turn];
    const { turn: _, ...rest } = scopeOf(scope);
    scopes.set(scope, rest);
    if (known?.kind === "compaction") change(turn, "compaction", { before, after, closedAt: at });
    else
      turns.push({ ...turnPlaceOf(event, scope), kind: "compaction", before, after, closedAt: at });
    return ask(event, scope);
  }

  function reported(event: EventOf<"status.reported">): boolean {
    const { turn: place, ...rest } = scopeOf("");
    const turn = place === undefined ? undefined : turns[place];
    // While calls are open it is a nested agent that reports.
    if (rest.openCalls > 0) return false;
    if (event.status === "retrying" && turn?.kind === "answer") {
      const retriedAt = [...(turn.retriedAt ?? []), event.at];
      return change(place, "answer", { retries: retriedAt.length, retriedAt });
    }
    if (event.status === "compacting") {
      // The request is sent again once the summary is there.
      if (turn?.kind === "answer" && turn.firstAt === undefined) turns.pop();
      scopes.set("", rest);
      return add({ ...turnPlaceOf(event, ""), kind: "compaction" }, "");
    }
    if (event.status !== "compaction_failed" || turn?.kind !== "compaction") return false;
    scopes.set("", rest);
    change(place, "compaction", { closedAt: event.at });
    return ask(event, "");
  }

  /** Whether a turn changed. */
  function take(event: RunEvent): boolean {
    switch (event.type) {
      case "message.opened": {
        const scope = event.parentCallId ?? "";
        if (event.role === "assistant") return answerBegan(event, scope);
        messages.set(event.messageId, { scope });
        return false;
      }
      case "message.closed":
        return messageClosed(event);
      case "call.opened":
        return callOpened(event);
      case "call.run.started":
        return agents.has(event.callId) && ask(event, event.callId);
      case "call.closed":
        return callClosed(event);
      case "text.closed": {
        const place = messages.get(event.messageId)?.turn;
        const turn = place === undefined ? undefined : turns[place];
        if (turn?.kind !== "answer" || turn.said !== undefined) return false;
        return change(place, "answer", { said: event.text.slice(0, longestSaid) });
      }
      case "usage.reported": {
        const { usage, model, messageId } = event;
        const place = messageId === undefined ? undefined : messages.get(messageId)?.turn;
        return change(place, "answer", model === undefined ? { usage } : { usage, model });
      }
      case "context.compacted":
        return compacted(event);
      case "status.reported":
        return reported(event);
      case "run.closed":
        return runClosed(event);
      default:
        return false;
    }
  }

  return {
    push(event) {
      const isChanged = take(event);
      if (isChanged) list = undefined;
      return isChanged;
    },
    get list() {
      list ??= [...turns];
      return list;
    },
    copy: () => createTurns({ turns, scopes, calls, agents, messages }),
  };
}

function turnPlaceOf({ runId, seq, at }: RunEvent, scope: string): TurnPlace {
  const place = { turnId: `${runId} ${seq}`, runId, askedAt: at };
  return scope === "" ? place : { ...place, parentCallId: scope };
}
