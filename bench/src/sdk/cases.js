/**
 * What is streamed: a write_file call whose arguments have exactly `size` characters, or that much
 * assistant text, in pieces of `delta` characters. Server and client make the same from a case's name.
 */
import { chunksOf, writeText } from "../json/texts.js";

/**
 * @typedef {object} Case
 * @property {"write" | "text"} kind
 * @property {number} size Characters in all.
 * @property {number} delta Characters in a piece.
 */

/** @param {Case} of */
export function nameOf({ kind, size, delta }) {
  return `${kind}-${size}-${delta}`;
}

/**
 * @param {string} name
 * @returns {Case}
 */
export function caseOf(name) {
  const [kind, size, delta] = name.split("-");
  return { kind: kind === "text" ? "text" : "write", size: Number(size), delta: Number(delta) };
}

/** @param {Case} of */
export function deltasIn({ size, delta }) {
  return Math.ceil(size / delta);
}

/** @param {Case} of */
export function textOf({ kind, size }) {
  const source = writeText(size * 2);
  if (kind === "text") return JSON.parse(source).content.slice(0, size);
  const end = '"}';
  const cut = source.slice(0, size - end.length);
  const isInEscape = (/\\*$/.exec(cut)?.[0].length ?? 0) % 2 === 1;
  return `${isInEscape ? `${cut.slice(0, -1)} ` : cut}${end}`;
}

/** @param {Case} of */
export function piecesOf(of) {
  return chunksOf(textOf(of), of.delta);
}
