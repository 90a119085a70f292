/**
 * The AG-UI client as the judge: its schemas, its verifier and the pipeline that makes messages of
 * events. The name keeps this file out of the build and out of the test run.
 */
import {
  AbstractAgent,
  type BaseEvent,
  type Message,
  transformChunks,
  verifyEvents,
} from "@ag-ui/client";
import { EventSchema } from "@ag-ui/core/schemas";
import { from, lastValueFrom, type Observable, toArray } from "rxjs";
import type { RunEvent } from "../../log/events/index.js";
import { type AgUiEvent, type AgUiOptions, createAgUiProjection } from "../agUi.js";
import { project } from "../shared/projection.js";

export function agUiEventsOf(
  log: readonly RunEvent[],
  options: AgUiOptions = {},
): readonly AgUiEvent[] {
  return project(createAgUiProjection(options), log);
}

/** As the wire delivers them. */
function delivered(events: readonly AgUiEvent[]): readonly BaseEvent[] {
  return JSON.parse(JSON.stringify(events));
}

/** What the protocol's schemas refuse, and fields that they do not know. */
export function refusalsOf(events: readonly AgUiEvent[]): readonly string[] {
  return events.flatMap((event) => {
    const parsed = EventSchema.safeParse(event);
    if (!parsed.success) return [`${event.type}: ${parsed.error.message}`];
    const schema = EventSchema.options.find(({ shape }) => shape.type.value === event.type);
    const unknown = Object.keys(event).filter((key) => !(key in (schema?.shape ?? {})));
    return unknown.map((key) => `${event.type}.${key}`);
  });
}

/** How many events pass; throws if the client's verifier does. */
export async function verifiedCount(events: readonly AgUiEvent[]): Promise<number> {
  const passed = from(delivered(events)).pipe(transformChunks(), verifyEvents(), toArray());
  return (await lastValueFrom(passed)).length;
}

class ReplayAgent extends AbstractAgent {
  readonly #events: readonly AgUiEvent[];

  constructor(events: readonly AgUiEvent[]) {
    super({ threadId: "conv_1" });
    this.#events = events;
  }

  override run(): Observable<BaseEvent> {
    return from(delivered(this.#events));
  }
}

/** The messages that the client's whole pipeline ends with. */
export async function messagesOf(events: readonly AgUiEvent[]): Promise<readonly Message[]> {
  const agent = new ReplayAgent(events);
  await agent.runAgent({ runId: "r" });
  return agent.messages;
}
