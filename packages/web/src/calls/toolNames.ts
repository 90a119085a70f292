/** Names that tools had before, and what they are called now: old recordings read like new ones. */
import type { CallTrack } from "@callboard/run-log/projections";

const newNames: ReadonlyMap<string, string> = new Map([
  ["api_news_fetch_headlines", "get_news_headlines"],
  ["core_web_search", "web_search"],
  ["core_web_read_web_pages", "web_read"],
  ["data_user_lists_create", "create_user_list"],
  ["seo_check_meta_titles", "check_meta_titles"],
]);

export function currentToolName(name: string): string {
  return newNames.get(name) ?? name;
}

/** A call with its current tool name. */
export function withCurrentName(track: CallTrack): CallTrack {
  return { ...track, toolName: currentToolName(track.toolName) };
}
