/**
 * Whether two values are equal, by walking them side by side: nothing is serialised, and whatever
 * is the very same object is not looked into. A key that is undefined counts as missing.
 */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || !left || !right) return false;
  if (Array.isArray(left) || Array.isArray(right)) return areSameLists(left, right);
  const others = new Map(Object.entries(right).filter(([, value]) => value !== undefined));
  let count = 0;
  for (const [key, value] of Object.entries(left)) {
    if (value === undefined) continue;
    if (!others.has(key) || !isSameJson(value, others.get(key))) return false;
    count += 1;
  }
  return count === others.size;
}

function areSameLists(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return false;
  return (
    left.length === right.length && left.every((item, index) => isSameJson(item, right[index]))
  );
}
