#!/usr/bin/env node
/** The program `callboard`: gives the process to a command, and ends with its exit code. */
import { fstatSync } from "node:fs";
import { createProcessDoor } from "./door/door.js";
import { exitCodes } from "./headless/exitCodes.js";
import { runProgram } from "./program.js";
import type { StopSignal, World } from "./world.js";

const signals: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];
const crashes = ["uncaughtException", "unhandledRejection"] as const;

const world: World = {
  env: process.env,
  cwd: process.cwd(),
  door: createProcessDoor(),
  get stdin() {
    return process.stdin;
  },
  isInputSocket: () => fstatSync(0).isSocket(),
  suspend: () =>
    new Promise((resolve) => {
      process.once("SIGCONT", () => resolve());
      process.kill(process.pid, "SIGTSTP");
    }),
  onSignal(listener) {
    const listeners = signals.map((name) => [name, () => listener(name)] as const);
    for (const [name, tell] of listeners) process.on(name, tell);
    return () => {
      for (const [name, tell] of listeners) process.off(name, tell);
    };
  },
  onCrash(listener) {
    for (const name of crashes) process.on(name, listener);
    return () => {
      for (const name of crashes) process.off(name, listener);
    };
  },
};

const exitCode = await runProgram(process.argv.slice(2), world);
await world.door.flushed();
process.exit(world.door.out.broken.aborted ? exitCodes.pipe : exitCode);
