/**
 * A reader that follows a run to its end through any node that runs: a node that stops, or a stream that breaks,
 * makes them come back elsewhere with the position that they have.
 */
import type { Laws } from "./laws.js";
import type { SimNode } from "./node.js";
import type { Actor, World } from "./world.js";

export interface Reader {
  readonly runId: string;
  /** How much of the run they have. */
  readonly seq: number;
  readonly hasEnded: boolean;
}

export interface ReaderOptions {
  readonly world: World;
  readonly laws: Laws;
  readonly runId: string;
  readonly nodes: () => readonly SimNode[];
  /** Whether they stay where they are for as long as their node lives. */
  readonly isPatient: () => boolean;
}

export function startReader(options: ReaderOptions): Reader {
  const { world, laws, runId, nodes, isPatient } = options;
  const actor: Actor = { name: "reader", isDead: false };
  const { random } = world;
  let seq = 0;
  let hasEnded = false;
  let current: object | undefined;

  const again = (): void => {
    current = undefined;
    world.after(200 + random.int(1_000), actor, "", attach);
  };

  async function read(node: SimNode, attachment: object): Promise<void> {
    const tail = node.server?.parts.store.tail(runId, { after: seq });
    if (!tail) return;
    for await (const event of tail) {
      if (current !== attachment || node.actor.isDead) return;
      laws.read(runId, seq, event);
      seq = event.seq;
      if (event.type === "run.closed") hasEnded = true;
    }
  }

  function attach(): void {
    if (hasEnded) return;
    const living = nodes().filter(({ server }) => server !== undefined);
    if (living.length === 0) {
      again();
      return;
    }
    const node = random.pick(living);
    const attachment = {};
    current = attachment;
    const leave = (): void => {
      if (current === attachment && !hasEnded) again();
    };
    read(node, attachment).then(leave, leave);
    watch(node, attachment);
  }

  /** A connection to a node that died breaks; sometimes a reader leaves by themselves. */
  function watch(node: SimNode, attachment: object): void {
    world.after(1_000 + random.int(4_000), actor, "", () => {
      if (current !== attachment || hasEnded) return;
      if (node.actor.isDead || (random.int(10) === 0 && !isPatient())) again();
      else watch(node, attachment);
    });
  }

  attach();
  return {
    runId,
    get seq() {
      return seq;
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}
