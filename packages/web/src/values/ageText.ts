/** How long ago something was, in a word, and the day that it belongs to in a list. */
import { clockText } from "./clockText.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `now`, `5 min`, `3 h`, `2 d`, `4 wk`. */
export function ageText(ms: number): string {
  if (ms < minute) return "now";
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  if (ms < 14 * day) return `${Math.floor(ms / day)} d`;
  return `${Math.floor(ms / (7 * day))} wk`;
}

export function dayGroupOf(at: number, now: number): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (at >= midnight) return "Today";
  if (at >= midnight - day) return "Yesterday";
  return at >= midnight - 7 * day ? "Last 7 days" : "Older";
}

/** In a list with headings by day: the age in the last hour, the time of day up to yesterday, then the age again. */
export function listTime(at: number, now: number): string {
  const group = dayGroupOf(at, now);
  const isNear = group === "Today" || group === "Yesterday";
  return isNear && now - at >= hour ? clockText(at).slice(0, 5) : ageText(now - at);
}
