import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { pipeNameOf } from "./pipeName.js";

it("is that of a pipe of the process alone: not of a file that others have open, nor of what is ours", async () => {
  const child = spawn("sleep", ["600"], { stdio: ["pipe", "ignore", "inherit"] });
  const names = [0, 1, 2].map((descriptor) => pipeNameOf(child.pid ?? -1, descriptor));
  child.kill("SIGKILL");
  await once(child, "exit");
  const isLinux = process.platform === "linux";
  expect(names).toEqual([isLinux ? expect.stringMatching(/^(pipe|socket):\[\d+\]$/) : "", "", ""]);
});
