/** A tool's name as people read it. */
import { expect, it } from "vitest";
import { toolLabel } from "./toolLabel.js";

it.each([
  ["get_news_headlines", "Get News Headlines"],
  ["web_search", "Web Search"],
  ["check_meta_titles", "Check Meta Titles"],
  ["Read", "Read"],
  ["WebFetch", "Web Fetch"],
  ["readUrl2Text", "Read Url2 Text"],
  ["mcp__index__build", "Mcp Index Build"],
  ["files.read-all", "Files Read All"],
  ["server:tool/name", "Server Tool Name"],
  ["_private_", "Private"],
  ["HTTP", "HTTP"],
  ["übersetze_text", "Übersetze Text"],
])("%s is %s", (name, label) => {
  expect(toolLabel(name)).toBe(label);
});
