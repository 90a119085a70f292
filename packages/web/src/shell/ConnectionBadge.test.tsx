import { createBoard, createClient, ProblemError } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { ConnectionBadge } from "./ConnectionBadge.js";

const problem = (status: number, type: string): ProblemError =>
  new ProblemError({ type, title: "No", status, detail: "Send the header Authorization." });

it.each([
  ["a session that is over", problem(401, "urn:callboard:unauthorized"), "not signed in"],
  ["a link to one conversation", problem(403, "urn:callboard:read-only-link"), "read only"],
  ["a server that fails", new Error("the server is gone"), "offline: the server is goneTry again"],
])("says of %s what a person understands", async (_, error, words) => {
  const board = createBoard({ client: createClient({ baseUrl: "http://callboard.test" }) });
  const container = await drawn(
    <CallboardProvider board={board}>
      <ConnectionBadge connection={{ status: "failed", error }} />
    </CallboardProvider>,
  );
  expect(container.textContent).toBe(words);
});
