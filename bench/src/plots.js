/** Tables of RESULTS.md as figures, and figures as SVG. Pure: it reads and writes no files. */

/**
 * The table under a heading whose first column is named so.
 * @param {string} text
 * @param {string} heading
 * @param {string} corner
 * @returns {import("./plots.js").Table}
 */
export function tableUnder(text, heading, corner) {
  const lines = text.split("\n");
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`RESULTS.md has no heading "${heading}"`);
  const level = heading.indexOf(" ");
  const after = lines.slice(start + 1);
  const next = after.findIndex((line) => /^#+ /.test(line) && line.indexOf(" ") <= level);
  const section = next < 0 ? after : after.slice(0, next);
  const head = section.findIndex(
    (line, index) =>
      /^\|[ -]*-[ |-]*$/.test(section[index + 1] ?? "") && cellsOf(line)[0] === corner,
  );
  if (head < 0) throw new Error(`"${heading}" has no table with the corner "${corner}"`);
  const [, ...columns] = cellsOf(section[head] ?? "");
  const rest = section.slice(head + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  const rows = (end < 0 ? rest : rest.slice(0, end)).map((line) => {
    const [name = "", ...cells] = cellsOf(line);
    return { name: name.replaceAll(/[`*]/g, ""), cells };
  });
  return { columns, rows };
}

/** @param {string} line */
function cellsOf(line) {
  return line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

/**
 * The first number of a cell, or the first one with this unit; nothing if it was not measured.
 * @param {string} cell
 * @param {string} [unit]
 */
export function numberIn(cell, unit = "") {
  const found = new RegExp(`([\\d,]*\\.?\\d+) ?${unit}`).exec(cell);
  return found === null ? undefined : Number(found[1]?.replaceAll(",", ""));
}

/**
 * "10 KB" as characters.
 * @param {string} name
 */
export function sizeIn(name) {
  return (
    (numberIn(name) ?? Number.NaN) * (name.endsWith("MB") ? 1e6 : name.endsWith("KB") ? 1e3 : 1)
  );
}

/**
 * The powers of ten from the one at or below the least value to the one at or above the greatest.
 * @param {readonly number[]} values
 */
export function powersAround(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
}

/**
 * @param {readonly number[]} ticks
 * @param {number} from
 * @param {number} to
 * @returns {(value: number) => number}
 */
export function logScale(ticks, from, to) {
  const low = Math.log10(ticks[0] ?? 1);
  const high = Math.log10(ticks.at(-1) ?? 10);
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}

const width = 900;
const colours =
  "#475569 #c2410c #7e22ce #15803d #a16207 #0f766e #be185d #4d7c0f #dc2626 #c026d3 #78350f #0891b2".split(
    " ",
  );
const ours = ["#1d4ed8", "#60a5fa"];

/** @param {string} text */
const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param {string} text @param {number} x @param {number} y @param {string} [more] */
const word = (text, x, y, more = "") => `<text x="${x}" y="${y}" ${more}>${escaped(text)}</text>`;

/** @param {number} value */
const tickName = (value) =>
  value >= 1e6
    ? `${value / 1e6}M`
    : value >= 1e3
      ? `${value / 1e3}K`
      : String(Number(value.toFixed(3)));

/** @param {string} title @param {string} note @param {number} height @param {readonly string[]} marks */
function picture(title, note, height, marks) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" fill="#1f2937" role="img">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${word(title, 20, 28, 'font-size="17" font-weight="600"')}
${word(note, 20, 48, 'fill="#6b7280"')}
${marks.join("\n")}
</svg>
`;
}

/** Lines on two logarithmic axes, the legend in the order of the last values. @param {import("./plots.js").Lines} plot */
export function lineChart({ title, note, across, up, lines }) {
  const [left, right, top, bottom] = [70, 560, 84, 414];
  const points = lines.flatMap((line) => line.points);
  const xTicks = powersAround(points.map(([x]) => x));
  const yTicks = powersAround(points.map(([, y]) => y));
  const x = logScale(xTicks, left, right);
  const y = logScale(yTicks, bottom, top);
  const at = (/** @type {number} */ value) => value.toFixed(1);
  const grid = [
    ...xTicks.map(
      (tick) =>
        `<path d="M${at(x(tick))} ${top}V${bottom}" stroke="#e5e7eb"/>${word(tickName(tick), x(tick), bottom + 18, 'text-anchor="middle"')}`,
    ),
    ...yTicks.map(
      (tick) =>
        `<path d="M${left} ${at(y(tick))}H${right}" stroke="#e5e7eb"/>${word(tickName(tick), left - 8, y(tick) + 4, 'text-anchor="end"')}`,
    ),
    word(across, (left + right) / 2, bottom + 42, 'text-anchor="middle"'),
    word(up, left, top - 8),
  ];
  const colour = colourOf();
  const drawn = lines
    .map((line) => ({ ...line, colour: colour(line.name), last: line.points.at(-1)?.[1] ?? 0 }))
    .toSorted((one, other) => other.last - one.last)
    .map(({ name, points: of, colour: stroke }, index) => {
      const path = of.map(
        ([px, py], place) => `${place === 0 ? "M" : "L"}${at(x(px))} ${at(y(py))}`,
      );
      const dots = of.map(([px, py]) => `<circle cx="${at(x(px))}" cy="${at(y(py))}" r="3"/>`);
      const row = top + 12 + index * 24;
      return `<g fill="${stroke}"><path d="${path.join("")}" fill="none" stroke="${stroke}" stroke-width="${isOurs(name) ? 3 : 1.5}"/>${dots.join("")}<path d="M${right + 20} ${row}h18" stroke="${stroke}" stroke-width="3"/>${word(name, right + 46, row + 4)}</g>`;
    });
  return picture(title, note, 474, [...grid, ...drawn]);
}

/** Bars from zero, one below the other. @param {import("./plots.js").Bars} plot */
export function barChart({ title, note, unit, bars }) {
  const [left, right, top] = [370, 800, 66];
  const most = Math.max(...bars.map(({ value }) => value));
  const drawn = bars.map(({ name, value }, index) => {
    const row = top + index * 30;
    const length = (value / most) * (right - left);
    return `${word(name, left - 10, row + 16, 'text-anchor="end"')}<rect x="${left}" y="${row}" width="${length.toFixed(1)}" height="22" fill="${isOurs(name) ? ours[0] : "#94a3b8"}"/>${word(`${value} ${unit}`, left + length + 6, row + 16)}`;
  });
  return picture(title, note, top + bars.length * 30 + 16, drawn);
}

/** @param {string} name */
const isOurs = (name) => /^Callboard/.test(name);

/** Ours in blue, the others each in a colour of their own. */
function colourOf() {
  let [own, others] = [0, 0];
  return (/** @type {string} */ name) =>
    (isOurs(name) ? ours[own++ % ours.length] : colours[others++ % colours.length]) ?? "#000";
}
