/** The page's own viewer and a log in one HTML file. */
import viewer from "virtual:viewer";
import { htmlDocument } from "./htmlDocument.js";

export function htmlExport(title: string, log: string): Promise<string> {
  return htmlDocument({ title, log, ...viewer }, sha256);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
