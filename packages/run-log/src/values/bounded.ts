/** Cuts text and values to a size for a row or a panel, and states how much was omitted. */
import { isJsonList, type JsonValue } from "./json.js";

/** Head and tail of a long text. A pair of surrogates is never cut in half. */
export function boundedText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const headEnd = wholeCharacter(text, Math.ceil(maxChars / 2));
  const tailStart = wholeCharacter(text, text.length - Math.floor(maxChars / 2));
  const omitted = tailStart - headEnd;
  if (omitted <= 0) return text;
  return `${text.slice(0, headEnd)}\n… ${omitted} characters left out …\n${text.slice(tailStart)}`;
}

function wholeCharacter(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

/** A value with its strings cut, and without what exceeds `maxChars` in total. */
export function boundedJson(value: JsonValue, maxChars: number): JsonValue {
  const budget = { left: maxChars };
  return cutValue(value, budget, 0);
}

const leftOut = "… left out …";
const maxDepth = 16;

function cutValue(value: JsonValue, budget: { left: number }, depth: number): JsonValue {
  if (budget.left <= 0 || depth > maxDepth) return leftOut;
  if (typeof value === "string") {
    const text = boundedText(value, Math.max(16, Math.floor(budget.left / 2)));
    budget.left -= text.length;
    return text;
  }
  budget.left -= 8;
  if (typeof value !== "object" || value === null) return value;
  if (isJsonList(value)) {
    const items: JsonValue[] = [];
    for (const item of value) {
      items.push(cutValue(item, budget, depth + 1));
      if (budget.left <= 0) break;
    }
    return items;
  }
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    const name = boundedText(key, Math.max(16, Math.floor(budget.left / 2)));
    budget.left -= name.length;
    entries.push([name, cutValue(item, budget, depth + 1)]);
    if (budget.left <= 0) break;
  }
  return Object.fromEntries(entries);
}
