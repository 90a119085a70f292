/**
 * `fuzz-door-cli <seed> <count>`: so many random hostile texts, split at random, through everything that
 * makes foreign text harmless. Exit 1 with the seed of the first text that gets through.
 */
import { createRandom, type Random } from "@callboard/testkit";
import { createProcessDoor } from "../door/door.js";
import { jsonLineOf } from "../door/jsonLine.js";
import { lineOf } from "../door/spans.js";
import { cleanText, createTextCleaner, exactText, paintableText } from "../door/terminalText.js";
import { escapeClasses, forbidden } from "./escapeClasses.js";

const hostile = escapeClasses.map(([, text]) => text);
const fragments = [
  "\u001b",
  "[",
  "]",
  "P",
  "_",
  "\\",
  "\u0007",
  "\r",
  "\n",
  "0;",
  "m",
  "\ud83d",
  "\ude00",
  "x",
  "é",
];

function randomText(random: Random): string {
  const pieces = Array.from({ length: random.int(10) }, () => {
    const way = random.int(4);
    if (way === 0) return random.pick(hostile);
    if (way === 1) return String.fromCharCode(random.int(0x2100));
    if (way === 2) return String.fromCharCode(random.int(0x10000));
    return random.pick(fragments);
  });
  return pieces.join("");
}

function cleanedInPieces(text: string, random: Random): string {
  const cleaner = createTextCleaner();
  let cleaned = "";
  for (let at = 0; at < text.length; ) {
    const size = 1 + random.int(6);
    cleaned += cleaner.push(text.slice(at, at + size));
    at += size;
  }
  return cleaned + cleaner.end();
}

const unsafeInJson = /[^\P{Cc}]|\p{Cs}|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

function faultOf(text: string, random: Random): string | undefined {
  const cleaned = cleanText(text);
  if (forbidden.test(cleaned)) return "it gets through";
  if (cleanedInPieces(text, random) !== cleaned) return "in pieces it is another text";
  if (cleanText(cleaned) !== cleaned) return "cleaned again it is another text";
  if (forbidden.test(exactText(text)) || /[\t\n]/.test(exactText(text)))
    return "exactly, it gets through";
  if (forbidden.test(paintableText(text))) return "painted, it gets through";
  const line = jsonLineOf(text);
  if (unsafeInJson.test(line)) return "as JSON it gets through";
  return JSON.parse(line) === text ? undefined : "as JSON it is another text";
}

const [first = "1", count = "1000"] = process.argv.slice(2);
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const random = createRandom(seed);
  const text = randomText(random);
  const fault = faultOf(text, random);
  if (fault === undefined) continue;
  createProcessDoor().err.line(lineOf(`seed ${seed}: ${fault}: ${jsonLineOf(text)}`));
  process.exitCode = 1;
  break;
}
