/**
 * One scenario: a few nodes, people and readers, and what goes wrong for them, all by the seed. Then everything is
 * corrected, and after a settling time every run must have its end and every reader the whole log.
 */
import { createRandom } from "../random.js";
import { createSimServer, type SimServer } from "./database/simServer.js";
import type { RunRow } from "./database/tables.js";
import { fateOf } from "./keptMessages.js";
import { createLaws, type Laws } from "./laws.js";
import { createNetwork, fairWeather, type Network, type Weather } from "./network.js";
import { type NodeOptions, type SimNode, startNode } from "./node.js";
import { createPeople, type People } from "./people.js";
import { type Reader, startReader } from "./reader.js";
import { type Actor, createWorld, type World } from "./world.js";

export interface Outcome {
  readonly failure: string | undefined;
  readonly hash: string;
  readonly history: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const userId = "00000000-0000-4000-8000-00000000aaaa";
const activeMs = 25_000;
const settlingMs = 240_000;

export async function playScenario(
  seed: number,
  { keepsHistory = false }: { readonly keepsHistory?: boolean } = {},
): Promise<Outcome> {
  // Whoever calls it, it starts in a turn of its own: what is due in the caller's turn would else come in between.
  await new Promise<void>((resolve) => setImmediate(resolve));
  const laws = createLaws();
  const world = createWorld(seed, () => undefined, { keepsHistory });
  const server: SimServer = createSimServer({
    now: world.now,
    onCommit(nodeId, rows) {
      for (const row of rows) world.note(nodeId, changeOf(row, laws));
      laws.committed(nodeId, rows, world.now());
    },
    onNotification: (notification) => network.deliver(notification),
    onFault: (error) => laws.break(String(error)),
  });
  const network = createNetwork(world, () => server);
  const stage = createStage(world, network, laws);
  stage.begin();
  await world.run({ time: world.now() + activeMs, isOver: () => laws.violation !== undefined });
  stage.mend();
  await world.run({
    time: world.now() + settlingMs,
    isOver: () => laws.violation !== undefined || stage.isOver(),
  });
  const failure = laws.violation ?? stage.unsettled();
  if (failure !== undefined) world.note("law", failure);
  return { failure, hash: world.hash(), history: world.history, figures: stage.figures() };
}

/** What a commit changes of a run, for the history. */
function changeOf(row: RunRow, { runs }: Laws): string {
  const { lastSeq = 0, epoch = 0 } = runs.get(row.id)?.row ?? {};
  const types = row.events.flatMap(({ seq, type }) => (seq > lastSeq ? [type] : []));
  const taken = row.epoch > epoch ? ` in epoch ${row.epoch}` : "";
  const moved = row.lastSeq > lastSeq ? ` ${lastSeq + 1}-${row.lastSeq} ${types.join(" ")}` : "";
  return `run ${row.id.slice(0, 8)}${taken}, owner ${row.owner ?? "none"}:${moved}`;
}

interface ScenarioStage {
  begin(): void;
  /** Ends everything that goes wrong. */
  mend(): void;
  isOver(): boolean;
  /** What is not as it must be in the end. */
  unsettled(): string | undefined;
  figures(): Readonly<Record<string, number>>;
}

function createStage(world: World, network: Network, laws: Laws): ScenarioStage {
  const { random } = world;
  const fate: Actor = { name: "fate", isDead: false };
  const newId = createIds();
  const conversations = Array.from({ length: random.int(4) === 0 ? 2 : 1 }, newId);
  const shared: Omit<NodeOptions, "name"> = {
    world,
    network,
    laws,
    userId,
    newId,
    isResumable: random.int(3) > 0,
    parkAfterMs: random.pick([0, 0, 3_000]),
  };
  const nodes: SimNode[] = [];
  const readers: Reader[] = [];
  const reading = { world, laws, nodes: () => nodes, isPatient: () => isMended };
  const people: People = createPeople({ world, laws, nodes: () => nodes });
  let starts = 0;
  let crashes = 0;
  let cuts = 0;
  let isMended = false;

  function start(place: number): void {
    starts += 1;
    nodes[place] = startNode({ ...shared, name: `node${place}.${starts}` });
  }

  /** As a supervisor does: a node that stopped is started again. */
  function supervise(place: number): void {
    world.after(1_000 + random.int(8_000), fate, "", () => {
      if (nodes[place]?.actor.isDead) start(place);
      supervise(place);
    });
  }

  function readAll(): void {
    for (const { row } of laws.runs.values()) {
      const count = readers.filter(({ runId }) => runId === row.id).length;
      if (count < 2) readers.push(startReader({ ...reading, runId: row.id }));
    }
    world.after(700, fate, "", readAll);
  }

  /** More often a node that has a run than any. */
  function victim(): SimNode | undefined {
    const owners = [...laws.runs.values()].flatMap(({ row }) => row.owner ?? []);
    const busy = nodes.filter(({ actor }) => owners.includes(actor.name));
    return random.pick(busy.length > 0 && random.int(4) > 0 ? busy : nodes);
  }

  /** Two nodes start one run at the same moment, and one of them may lose its connections on the way. */
  function startTwice(): void {
    const rivals = people.sayAtTwoNodes(newId());
    if (rivals.length < 2 || random.int(4) === 0) return;
    const { actor, link } = random.pick(rivals);
    world.after(random.int(40), fate, "", () => {
      if (actor.isDead) return;
      cuts += 1;
      world.note(actor.name, "is cut off for a moment");
      link.cut();
      world.after(1 + random.int(20), actor, "is reached again", link.heal);
    });
  }

  const incidents: readonly ((node: SimNode) => void)[] = [
    (node) => {
      crashes += 1;
      world.note(node.actor.name, "crashes");
      node.crash();
    },
    (node) => {
      cuts += 1;
      world.note(node.actor.name, "is cut off");
      node.link.cut();
      world.after(2_000 + random.int(20_000), node.actor, "is reached again", node.link.heal);
    },
    (node) => {
      const milliseconds = random.pick([-3_600_000, -5_000, 5_000, 3_600_000]);
      world.note(node.actor.name, `has its clock set by ${milliseconds} ms`);
      node.clock.jump(milliseconds);
    },
    (node) => {
      world.note(node.actor.name, "shuts down");
      const { server } = node;
      node.server = undefined;
      void server?.close().then(() => {
        world.note(node.actor.name, "is shut down");
        node.crash();
      });
    },
  ];

  return {
    begin() {
      network.weather = weatherOf(random.int(5), createRandom(random.int(1_000_000)));
      const count = 2 + random.int(2);
      for (let place = 0; place < count; place += 1) {
        start(place);
        supervise(place);
      }
      people.watch();
      readAll();
      for (const conversationId of conversations) {
        for (let message = 1 + random.int(2); message > 0; message -= 1) {
          const whenBusy = random.pick(["reject", "queue", "steer"] as const);
          world.after(500 + random.int(8_000), fate, "", () =>
            people.say(conversationId, whenBusy),
          );
        }
      }
      if (random.int(2) === 0) world.after(1_000 + random.int(6_000), fate, "", startTwice);
      for (let count = random.int(3); count > 0; count -= 1) {
        world.after(2_000 + random.int(18_000), fate, "", people.cancelSomething);
      }
      for (let count = random.int(4); count > 0; count -= 1) {
        world.after(1_000 + random.int(20_000), fate, "", () => {
          const node = victim();
          if (!node?.server || isMended) return;
          random.pick(incidents)(node);
        });
      }
    },
    mend() {
      world.note("fate", "mends everything");
      isMended = true;
      network.weather = fairWeather;
      for (const { link } of nodes) link.heal();
    },
    isOver: () => unsettled() === undefined,
    unsettled,
    figures: () => ({
      steps: world.steps,
      runs: laws.runs.size,
      events: [...laws.runs.values()].reduce((sum, { log }) => sum + log.length, 0),
      effects: laws.effects,
      crashes,
      cuts,
    }),
  };

  function unsettled(): string | undefined {
    if (people.waiting > 0) return "a message has no answer";
    if (laws.runs.size === 0) return "no run has started";
    const fates = [...people.accepted].map((text) => [text, fateOf(laws, text)] as const);
    const [text, became] = fates.find(([, one]) => one !== "said" && one !== "returned") ?? [];
    if (text !== undefined) return `${text} was accepted and is ${became}`;
    for (const { row, state, log } of laws.runs.values()) {
      if (state.status !== "closed") return `run ${row.id} has no end`;
      const behind = readers.filter(({ runId, seq }) => runId === row.id && seq < log.length);
      if (behind.length > 0 || !readers.some(({ runId }) => runId === row.id)) {
        return `a reader of run ${row.id} has not got all of its ${log.length} events`;
      }
    }
    const busy = nodes.find(({ server }) => (server?.parts.host.openRuns ?? 0) > 0);
    if (busy) return `${busy.actor.name} still holds a run that has ended`;
    return undefined;
  }
}

function weatherOf(kind: number, random: ReturnType<typeof createRandom>): Weather {
  switch (kind) {
    case 0:
      return fairWeather;
    case 1:
      return { ...fairWeather, lossPercent: 1 + random.int(8) };
    case 2:
      return { ...fairWeather, slowPercent: 5 + random.int(20), slowMs: 200 + random.int(3_000) };
    case 3:
      return {
        ...fairWeather,
        newsLossPercent: random.int(60),
        newsTwicePercent: random.int(40),
        newsLatePercent: random.int(40),
      };
    default:
      return {
        lossPercent: random.int(5),
        slowPercent: random.int(20),
        slowMs: 1 + random.int(1_500),
        newsLossPercent: random.int(30),
        newsTwicePercent: random.int(30),
        newsLatePercent: random.int(30),
      };
  }
}

/** Ids that look like random ones and are the same for the same seed. */
function createIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `00000000-0000-4000-8000-${count.toString(16).padStart(12, "0")}`;
  };
}
