/** `1 call`, `2 calls`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Whole up to 9,999; then `43k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 10_000) return count.toLocaleString("en");
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Cents from ten cents on; smaller costs to a hundredth of a cent. */
export function costText(usd: number): string {
  return `$${usd.toFixed(usd === 0 || usd >= 0.1 ? 2 : 4)}`;
}
