/** The list of MCP servers: logging in leads to the address that the server gives, logging out forgets the login. */
import { CallboardProvider } from "@callboard/client/react";
import { act } from "react";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import McpServersDialog from "./McpServersDialog.js";

const server = { name: "tickets", url: "https://tickets.example/mcp", agents: ["default"] };

function pageWith(asked: string[]) {
  let isLoggedIn = false;
  const fake = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(String(input));
    const method = init?.method ?? "GET";
    asked.push(`${method} ${pathname} ${init?.body ?? ""}`.trim());
    if (method === "POST") {
      isLoggedIn = true;
      return Response.json({ url: "http://there/mcp/login/key", expires_at: "2026-01-01" });
    }
    if (method === "DELETE") {
      isLoggedIn = false;
      return new Response(null, { status: 204 });
    }
    return Response.json({ items: [{ ...server, is_logged_in: isLoggedIn }] });
  };
  return (
    <CallboardProvider options={{ baseUrl: "http://there", fetch: fake }}>
      <McpServersDialog onClose={() => undefined} />
    </CallboardProvider>
  );
}

it("logs in at the address that it is given, and out again", async () => {
  const asked: string[] = [];
  const drawing = await drawn(pageWith(asked));
  const press = (name: string): Promise<void> =>
    act(async () => drawing.querySelector<HTMLElement>(`[aria-label="${name}"]`)?.click());
  expect(drawing.textContent).toContain("Not logged in");
  await press("Log in to tickets");
  expect(drawing.querySelector("li a")?.getAttribute("href")).toBe("http://there/mcp/login/key");
  // The person comes back from the server's page.
  await act(async () => window.dispatchEvent(new Event("focus")));
  expect(drawing.querySelector("li")?.textContent).toContain("Logged in");
  await press("Log out of tickets");
  expect(drawing.textContent).toContain("Not logged in");
  const body = JSON.stringify({ url: server.url });
  expect(asked).toEqual([
    "GET /api/mcp/servers",
    `POST /api/mcp/logins ${body}`,
    "GET /api/mcp/servers",
    `DELETE /api/mcp/logins ${body}`,
    "GET /api/mcp/servers",
  ]);
});
