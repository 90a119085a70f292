/** The session of a page, as a browser would send it. */
import type { RunningServer } from "../startServer.js";

/** The cookie that a page is given; with the name that it would have at another server. */
export async function sessionOf(
  server: RunningServer | undefined,
  at: RunningServer | undefined = server,
): Promise<string> {
  const page = await fetch(`${server?.url}/?token=${server?.token}`, { redirect: "manual" });
  const [cookie = ""] = (page.headers.get("set-cookie") ?? "").split(";");
  return cookie.replace(/^\w+=/, `callboard_session_${new URL(at?.url ?? "").port}=`);
}
