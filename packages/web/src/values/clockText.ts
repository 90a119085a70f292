/** The local time of day: `14:03:22`; with milliseconds if they matter. */
export function clockText(at: number, hasMs = false): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const text = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  return hasMs ? `${text}.${String(time.getMilliseconds()).padStart(3, "0")}` : text;
}

/** The time of day, with the day if it is not that of `now`: `14:03`, `16 Nov, 14:03`. */
export function timeText(at: number, now: number): string {
  const isSameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return isSameDay ? clockText(at).slice(0, 5) : dayText(at);
}

/** The day too: `16 Nov, 14:03`; with seconds where they tell two moments apart. */
export function dayText(at: number, hasSeconds = false): string {
  return new Date(at).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    ...(hasSeconds && { second: "2-digit" }),
  });
}
