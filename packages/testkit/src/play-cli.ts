/**
 * `npm start [-- life] [--speed n] [--list]`: plays a recorded run in the terminal, at the pace of its own clock divided
 * by the speed. No model is called and no tool runs.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { lifeNamed, lives } from "./lives/index.js";
import type { Life } from "./lives/life.js";
import { createPlayer } from "./player.js";

const longestWaitMs = 2_000;

function listOfLives(): string {
  const width = Math.max(...lives.map((life) => life.name.length));
  return lives.map((life) => `  ${life.name.padEnd(width)}  ${life.about}`).join("\n");
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

async function play(life: Life, speed: number): Promise<void> {
  console.log(`Playing the recorded life "${life.name}": ${life.about}`);
  console.log("No model is asked and no tool runs. Other lives: npm start -- --list\n");
  const player = createPlayer({ isTerminal: process.stdout.isTTY });
  let now = life.log[0]?.at ?? 0;
  for (const event of life.log) {
    const wait = speed === 0 ? 0 : Math.min(longestWaitMs, (event.at - now) / speed);
    now = event.at;
    if (wait > 0) await sleep(wait);
    process.stdout.write(player(event));
  }
}

const { values, positionals } = parseArgs({
  options: {
    speed: { type: "string", default: "1" },
    list: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

const [name = "tour"] = positionals;
const life = lifeNamed(name);
const speed = Number(values.speed);

if (values.list) console.log(listOfLives());
else if (!life) fail(`no life is named ${name}; the lives are:\n${listOfLives()}`);
else if (!(speed >= 0)) fail(`--speed must be a number of at least 0, not ${values.speed}`);
else await play(life, speed);
