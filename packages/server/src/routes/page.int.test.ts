/** The page's own protection, as browsers read it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../startServer.js";
import { quietLogger } from "../testing/place.js";

it("allows the page's own scripts and styles, and nothing inline or from elsewhere", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callboard-page-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Board</title>");
  await writeFile(join(folder, "assets", "app.js"), "void 0;");
  const server = await startServer({
    port: 0,
    home: folder,
    pageFolder: folder,
    env: { CALLBOARD_HOME: folder },
    logger: quietLogger,
    store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
  });
  onTestFinished(server.close);
  const asset = async (encoding: string): Promise<unknown> => {
    const { headers } = await fetch(`${server.url}/assets/app.js`, {
      headers: { "accept-encoding": encoding },
    });
    return headers.get("content-encoding");
  };
  expect([await asset("gzip, br"), await asset("identity")]).toEqual(["gzip", null]);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  for (const path of [
    "/",
    "/c/1",
    "/c/1/r/2",
    "/c/1/r/2/call/3",
    "/v/1",
    "/compare/1/2",
    "/recording/1",
    "/link/expired",
    "/assets/app.js",
  ]) {
    const { status, headers } = await fetch(`${server.url}${path}`);
    expect([
      path,
      status,
      headers.get("content-security-policy"),
      headers.get("x-content-type-options"),
      headers.get("referrer-policy"),
    ]).toEqual([path, 200, policy, "nosniff", "no-referrer"]);
  }
});
