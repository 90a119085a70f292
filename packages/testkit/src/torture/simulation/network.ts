/**
 * The way between a node and its database. A statement travels, is executed, and its answer travels back; both
 * may be slow or lost, and a node may be cut off. What was sent before a node died may still arrive.
 */
import type { Answer, Session, SimServer } from "./database/simServer.js";
import type { Notification } from "./database/tables.js";
import type { Actor, World } from "./world.js";

/** How bad the network of a scenario is. */
export interface Weather {
  /** Of a hundred statements, how many lose themselves or their answer. */
  readonly lossPercent: number;
  /** Of a hundred trips, how many are slow, and how slow at most. */
  readonly slowPercent: number;
  readonly slowMs: number;
  /** Of a hundred notifications, how many are lost, come twice, or come late. */
  readonly newsLossPercent: number;
  readonly newsTwicePercent: number;
  readonly newsLatePercent: number;
}

export const fairWeather: Weather = {
  lossPercent: 0,
  slowPercent: 0,
  slowMs: 0,
  newsLossPercent: 0,
  newsTwicePercent: 0,
  newsLatePercent: 0,
};

export interface Listener {
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly onLost: (error: Error) => void;
}

/** One node's connections to the database. */
export interface Link {
  readonly isUp: boolean;
  cut(): void;
  heal(): void;
  /** The node died: its sessions end when the server notices. */
  abandon(): void;
  open(): Line;
  listen(listener: Listener): Promise<() => void>;
}

/** One connection. */
export interface Line {
  readonly session: Session;
  /** Sends something to the server and gives its answer. Rejects if the connection broke on the way. */
  ask(work: (answer: (answer: Answer) => void) => void): Promise<Answer>;
  close(): void;
}

export interface Network {
  weather: Weather;
  linkOf(actor: Actor): Link;
  deliver(notification: Notification): void;
}

const queryTimeoutMs = 30_000;

export function createNetwork(world: World, server: () => SimServer): Network {
  const { random } = world;
  const self: Actor = { name: "network", isDead: false };
  const listeners = new Map<Listener, { readonly actor: Actor; readonly isUp: () => boolean }>();
  const network = { weather: fairWeather, linkOf, deliver };
  const chance = (percent: number): boolean => percent > 0 && random.next() * 100 < percent;

  function tripMs(): number {
    const { slowPercent, slowMs } = network.weather;
    return chance(slowPercent) ? random.int(slowMs) : 1 + random.int(3);
  }

  function linkOf(actor: Actor): Link {
    let isUp = true;
    const lines = new Set<Line>();

    function open(): Line {
      const session = server().open(actor.name);
      let isBroken = false;

      function broken(reject: (error: Error) => void): void {
        isBroken = true;
        session.end();
        // A reset is noticed soon; a server that is out of reach is noticed only when the time is up.
        const isHeard = isUp || random.int(2) === 0;
        const waitMs = isHeard ? random.int(500) : queryTimeoutMs;
        const what = isHeard ? "" : "times out";
        world.after(waitMs, actor, what, () =>
          reject(isHeard ? resetError() : new Error("Query read timeout")),
        );
      }

      const line: Line = {
        session,
        ask: (work) =>
          new Promise((resolve, reject) => {
            const isLost = isBroken || !isUp || chance(network.weather.lossPercent / 2);
            if (isLost) return broken(reject);
            world.after(tripMs(), self, "", () => {
              if (!isUp || isBroken) return broken(reject);
              work((answer) => {
                const isAnswerLost = chance(network.weather.lossPercent / 2);
                world.after(tripMs(), actor, "", () => {
                  if (isAnswerLost || !isUp || isBroken) broken(reject);
                  else resolve(answer);
                });
              });
            });
          }),
        close() {
          lines.delete(line);
          session.end();
        },
      };
      lines.add(line);
      return line;
    }

    function loseListeners(): void {
      for (const [listener, { actor: of }] of listeners) {
        if (of !== actor) continue;
        // Until the connection is known to be broken, nothing is received on it.
        world.after(random.int(15_000), actor, "notices that it hears nothing", () => {
          if (listeners.delete(listener)) listener.onLost(resetError());
        });
      }
    }

    return {
      get isUp() {
        return isUp;
      },
      cut() {
        isUp = false;
        loseListeners();
      },
      heal() {
        isUp = true;
      },
      abandon() {
        for (const listener of [...listeners.keys()]) {
          if (listeners.get(listener)?.actor === actor) listeners.delete(listener);
        }
        for (const line of lines) world.after(random.int(2_000), self, "", () => line.close());
      },
      open,
      listen: (listener) =>
        new Promise((resolve, reject) => {
          world.after(tripMs(), actor, "", () => {
            if (!isUp) {
              world.after(random.int(1_000), actor, "", () => reject(resetError()));
              return;
            }
            listeners.set(listener, { actor, isUp: () => isUp });
            resolve(() => listeners.delete(listener));
          });
        }),
    };
  }

  function deliver({ channel, payload }: Notification): void {
    for (const [listener, { actor, isUp }] of listeners) {
      if (listener.channel !== channel) continue;
      const { newsLossPercent, newsTwicePercent, newsLatePercent } = network.weather;
      if (chance(newsLossPercent)) continue;
      const times = chance(newsTwicePercent) ? 2 : 1;
      for (let time = 0; time < times; time += 1) {
        const lateMs = chance(newsLatePercent) ? random.int(10_000) : 1 + random.int(3);
        world.after(lateMs, actor, "", () => {
          if (isUp() && listeners.has(listener)) listener.onPayload(payload);
        });
      }
    }
  }

  return network;
}

function resetError(): Error {
  return Object.assign(new Error("The connection was reset."), { code: "ECONNRESET" });
}
