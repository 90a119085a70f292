/**
 * Numbers as their columns hold them. A clock that was set back, or a provider that counts nonsense,
 * must not cost a run its rows: what a column would refuse becomes the nearest that it takes.
 */
import type { Columns } from "./rowBatch.js";

const largestInt4 = 2_147_483_647;

const largest: Readonly<Record<string, number>> = {
  duration_ms: largestInt4,
  total_duration_ms: Number.MAX_SAFE_INTEGER,
  tool_duration_ms: Number.MAX_SAFE_INTEGER,
  input_tokens: largestInt4,
  output_tokens: largestInt4,
  total_tokens: largestInt4,
  iteration: largestInt4,
  retry_count: largestInt4,
};

export function storedColumns(columns: Columns): Columns {
  const changed: [string, number][] = [];
  for (const name in columns) {
    const most = largest[name];
    const value = columns[name];
    if (most === undefined || typeof value !== "number") continue;
    const held = Math.min(Math.max(0, Math.round(value)), most);
    if (held !== value) changed.push([name, held]);
  }
  return changed.length === 0 ? columns : { ...columns, ...Object.fromEntries(changed) };
}
