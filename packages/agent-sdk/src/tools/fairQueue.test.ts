import { expect, it } from "vitest";
import { createFairQueue } from "./fairQueue.js";

it("lets owners take turns, one piece of work at a time, and refuses what exceeds an owner's share", async () => {
  const queue = createFairQueue(3);
  const order: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    return name;
  };
  const pieces = ["a1", "a2", "a3", "a4"].map((name) => queue.take("a", work(name)));
  pieces.push(queue.take("b", work("b1")));
  // The first is under way already, so that three more of its owner may wait.
  const refused = queue.take("a", work("a5")).catch((error: Error) => error.name);
  const failing = queue.take("b", () => Promise.reject(new Error("broken")));
  expect(await refused).toBe("QueueFullError");
  await expect(failing).rejects.toThrow("broken");
  expect(await Promise.all(pieces)).toEqual(["a1", "a2", "a3", "a4", "b1"]);
  const begun = order.filter((entry) => entry.endsWith("begins")).map((entry) => entry.slice(0, 2));
  expect(begun).toEqual(["a1", "a2", "b1", "a3", "a4"]);
  expect(order.filter((_, index) => index % 2 === 0)).toEqual(
    begun.map((name) => `${name} begins`),
  );
});

it("drops what nobody waits for any more, before its turn and not during it", async () => {
  const queue = createFairQueue(2);
  const done: string[] = [];
  let finish: () => void = () => {};
  const long = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const left = new AbortController();
  const first = queue.take("a", () => long.then(() => "first"), left.signal);
  const work = (name: string) => async (): Promise<string> => {
    done.push(name);
    return name;
  };
  const dropped = ["a2", "a3"].map((name) => queue.take("a", work(name), left.signal));
  const stays = queue.take("b", work("b1"), new AbortController().signal);
  left.abort(new Error("the client has left"));
  const late = queue.take("a", work("a4"), left.signal);
  for (const piece of [...dropped, late])
    await expect(piece).rejects.toThrow("the client has left");
  // Their places are free again.
  const later = ["a5", "a6"].map((name) => queue.take("a", work(name)));
  finish();
  expect(await Promise.all([first, stays, ...later])).toEqual(["first", "b1", "a5", "a6"]);
  expect(done).toEqual(["b1", "a5", "a6"]);
});
