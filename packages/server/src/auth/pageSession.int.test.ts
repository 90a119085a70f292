import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { expect, it } from "vitest";
import { type RunningServer, startServer } from "../startServer.js";
import { sessionOf } from "../testing/pageSession.js";
import { quietLogger } from "../testing/place.js";
import { createPageSessions, readSessionKey } from "./pageSession.js";

it("gives the page a session that outlives a restart on the same home, and no longer than its time", async () => {
  const path = await mkdtemp(join(tmpdir(), "callboard-session-"));
  let now = systemClock.now();
  const start = async (port: number): Promise<RunningServer> =>
    startServer({
      port,
      home: path,
      env: { CALLBOARD_HOME: path },
      logger: quietLogger,
      clock: { ...systemClock, now: () => now },
      store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
    });
  const statusAt = async (server: RunningServer, cookie: string): Promise<number> =>
    (await fetch(`${server.url}/api/agents`, { headers: { cookie } })).status;
  const first = await start(0);
  const port = Number(new URL(first.url).port);
  const cookie = await sessionOf(first);
  expect((await stat(join(path, "session.key"))).mode & 0o777).toBe(0o600);
  await first.close();
  const second = await start(port);
  expect(second.token).not.toBe(first.token);
  expect(await statusAt(second, cookie)).toBe(200);
  const page = await fetch(`${second.url}/?token=${second.token}`, { redirect: "manual" });
  expect([page.status, page.headers.get("location")]).toEqual([303, "/"]);
  expect(page.headers.get("set-cookie")).toMatch(
    /^callboard_session_\d+=\d+\.[\w-]{22}\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/,
  );
  const old = `${second.url}/?token=${first.token}`;
  expect((await fetch(old, { redirect: "manual" })).status).toBe(401);
  now += 31 * 24 * 3_600_000;
  expect(await statusAt(second, cookie)).toBe(401);
  now = systemClock.now();
  await second.close();
  const elsewhere = await mkdtemp(join(tmpdir(), "callboard-session-"));
  const [, session = ""] = cookie.split("=");
  const holdsAt = async (folder: string): Promise<boolean> => {
    const key = await readSessionKey(folder);
    return createPageSessions({ key, port, now: () => now }).expiryOf(session) !== undefined;
  };
  expect([await holdsAt(path), await holdsAt(elsewhere)]).toEqual([true, false]);
  // A key that others could read is not trusted any more.
  await chmod(join(path, "session.key"), 0o644);
  expect([await holdsAt(path), await holdsAt(path)]).toEqual([false, false]);
  expect((await stat(join(path, "session.key"))).mode & 0o777).toBe(0o600);
  for (const folder of [path, elsewhere]) await rm(folder, { recursive: true, force: true });
});
