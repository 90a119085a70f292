import { expect, it } from "vitest";
import { callboardHome } from "./home.js";

it.each([
  [{ CALLBOARD_HOME: "/srv/board", XDG_DATA_HOME: "/data", HOME: "/home/ada" }, "/srv/board"],
  [{ CALLBOARD_HOME: "", XDG_DATA_HOME: "/data", HOME: "/home/ada" }, "/data/callboard"],
  [{ XDG_DATA_HOME: "data", HOME: "/home/ada" }, "/home/ada/.local/share/callboard"],
  [{ XDG_DATA_HOME: "", HOME: "/home/ada" }, "/home/ada/.local/share/callboard"],
])("the home of %j is %s", (env, home) => {
  expect(callboardHome(env, "linux")).toBe(home);
});

it("makes a relative CALLBOARD_HOME absolute", () => {
  expect(callboardHome({ CALLBOARD_HOME: "board" }, "linux")).toBe(`${process.cwd()}/board`);
});

it("speaks of a Windows home in its own way", () => {
  expect(callboardHome({ USERPROFILE: "C:\\Users\\ada" }, "win32")).toBe(
    "C:\\Users\\ada\\.local\\share\\callboard",
  );
});
