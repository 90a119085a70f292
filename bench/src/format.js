/** Numbers as the tables of RESULTS.md show them. */

/** @param {number} size */
export function sizeName(size) {
  return size >= 1e6 ? `${size / 1e6} MB` : `${size / 1e3} KB`;
}

/** @param {number} value */
export function rounded(value) {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(1);
}
