/** Files that change while they are followed. */
import { expect, test } from "vitest";
import { pageOf } from "./logFollowing.js";

test("a file that was emptied after its size was read gives an empty page", async () => {
  let reads = 0;
  async function read() {
    reads += 1;
    if (reads > 1) throw new Error("the emptied file was read again");
    return { bytesRead: 0, buffer: Buffer.alloc(0) };
  }
  expect(await pageOf({ read }, 0, 100)).toEqual({ events: [], offset: 0 });
});
