/** The time of day, as it is where the page is read: `14:03:22`; with milliseconds where they matter. */
export function clockText(at: number, hasMs = false): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const text = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  return hasMs ? `${text}.${String(time.getMilliseconds()).padStart(3, "0")}` : text;
}

/** The day too: `16 Nov, 14:03`. */
export function dayText(at: number): string {
  return new Date(at).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}
