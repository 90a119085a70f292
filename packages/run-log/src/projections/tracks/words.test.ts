/** How a track reads: state, tense, target, facts. */
import { createLife, lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { personQuestionIn } from "../../asking/userQuestion.js";
import { project } from "../shared/projection.js";
import { isAskingPerson } from "../shared/track.js";
import { createTracksProjection } from "./index.js";
import { describeTrack, durationText } from "./words.js";

const tracksOf = (log: Parameters<typeof project>[1]) => project(createTracksProjection(), log);

function written(act: Parameters<typeof createLife>[2]): readonly string[] {
  const tracks = tracksOf(createLife("words", "A call in words.", act).log);
  const lines = tracks.map((track) => {
    const { icon, word, verb, target, facts } = describeTrack(track, track.openedAt);
    return `${icon} ${word}: ${[`${verb} ${target}`.trim(), ...facts].join(" · ")}`;
  });
  return lines.filter((line, index) => line !== lines[index - 1]);
}

describe("a track in words", () => {
  it("says by tense what is being done, and to what", () => {
    const lines = written(({ later, model, tool, run }) => {
      model.begins();
      const call = model.calls(
        "write_file",
        { path: "src/app.ts", content: "x" },
        { display: { verbs: { doing: "Writing", done: "Wrote", plain: "write" } } },
      );
      model.ends();
      tool.starts(call);
      later(1_400);
      tool.ends(call, "ok", { summary: "120 lines" });
      run.ends();
    });
    expect(lines).toEqual([
      "✎ writing arguments: Writing",
      "◌ queued: Writing src/app.ts",
      "▸ running: Writing src/app.ts",
      "✓ done: Wrote src/app.ts · 120 lines · 1.4 s",
    ]);
  });

  it("says of a call that waits for approval what it wants, not that it is being done", () => {
    const lines = written(({ model, tool, user, run }) => {
      model.begins();
      const call = model.calls("shell", { command: "rm -r dist" }, { kind: "execute" });
      model.ends();
      tool.asks(call);
      user.allows(call);
      tool.starts(call);
      tool.ends(call, "");
      run.ends();
    });
    expect(lines).toContain("? waiting for approval: Wants to run rm -r dist");
  });

  it("says how long a call that runs is silent; a heartbeat is no sign of it", () => {
    const { log } = createLife("silent", "A silent call.", ({ later, model, tool, run }) => {
      model.begins();
      const call = model.calls("shell", { command: "make" }, { kind: "execute" });
      model.ends();
      tool.starts(call);
      later(2_000);
      tool.prints(call, "compiling\n");
      later(12_000);
      tool.reports(call, { type: "heartbeat" });
      later(1_000);
      tool.ends(call, "compiling\n");
      run.ends();
    });
    const tracks = tracksOf(log);
    const said = (state: string) => {
      const track = tracks.findLast((one) => one.state === state);
      const now = track?.closedAt ?? (track?.lastSignAt ?? 0) + 12_000;
      return track && describeTrack(track, now).facts;
    };
    expect(said("queued")).toEqual([]);
    expect(said("running")).toEqual(["14.0 s", "silent 12.0 s"]);
    expect(said("done")).toEqual(["15.0 s"]);
  });

  it("does not call an agent silent: its own calls and texts show what it does", () => {
    const { log } = createLife("waiting", "An agent that works.", ({ model, tool }) => {
      model.begins();
      const call = model.calls("Task", { task: "look" }, { toolType: "agent" });
      model.ends();
      tool.starts(call);
    });
    const track = tracksOf(log).at(-1);
    const facts = track && describeTrack(track, (track.lastSignAt ?? 0) + 60_000).facts;
    expect(facts).toEqual(["1 min"]);
  });

  it.each([
    ["denial", "✗", "denied", "Could not run"],
    ["tool-timeout", "✗", "timed out", "Could not fetch"],
    ["abort-while-running", "■", "cancelled", "Stopped running"],
    ["crash-while-running", "■", "interrupted", "Stopped running"],
  ])("tells the failure of %s apart", (name, icon, word, verb) => {
    const track = tracksOf(lifeNamed(name)?.log ?? []).at(-1);
    const words = track && describeTrack(track, track.closedAt ?? 0);
    expect(words).toMatchObject({ icon, word, verb });
    expect(words?.reason).toBeTruthy();
  });

  it("says of a question to the person that it waits for them", () => {
    const tracks = tracksOf(lifeNamed("question-parked")?.log ?? []);
    const lines = tracks.map((track) => {
      const { word, verb, target } = describeTrack(track, track.openedAt);
      return `${word}: ${verb} ${target}`;
    });
    expect([...new Set(lines)].slice(-2)).toEqual([
      "waiting for you: Asking Which colour?",
      "done: Asked Which colour?",
    ]);
    const [waiting] = tracks.filter(isAskingPerson);
    expect(waiting && personQuestionIn(waiting.input)).toEqual({
      question: "Which colour?",
      choices: ["red", "green"],
    });
    expect(tracks.at(-1)).not.toHaveProperty("delegation");
  });

  it("names a tool it does not know by its readable name", () => {
    const lines = written(({ model, tool, run }) => {
      model.begins();
      const call = model.calls("get_news_headlines", { country: "is", limit: 3 });
      model.ends();
      tool.starts(call);
      tool.ends(call, "[]");
      run.ends();
    });
    expect(lines.at(-1)).toBe("✓ done: Used Get News Headlines is");
  });

  const display = { verbs: { doing: "Listing", done: "Listed", plain: "list" } };

  it.each([
    ["Listing", "✓ done: Listed · 3 entries"],
    ["Listing everything", "✓ done: Listed everything · 3 entries"],
    ["All files", "✓ done: Listed All files · 3 entries"],
  ])("takes the title %j where no argument tells, and no verb twice", (title, expected) => {
    const lines = written(({ model, tool, run }) => {
      model.begins();
      const call = model.calls("list_files", {}, { title, display });
      model.ends();
      tool.starts(call);
      tool.ends(call, "a b c", { summary: "3 entries" });
      run.ends();
    });
    expect(lines.at(-1)).toBe(expected);
  });

  it("keeps a long target to one short line", () => {
    const lines = written(({ model, run }) => {
      model.begins();
      model.calls(
        "shell",
        { command: `echo one\n  && ${"two ".repeat(100)}` },
        { kind: "execute" },
      );
      run.ends();
    });
    expect(lines.at(-1)).toHaveLength("■ interrupted: Stopped running ".length + 120);
  });
});

describe("a duration", () => {
  it.each([
    [0, "0 ms"],
    [850.4, "850 ms"],
    [1_400, "1.4 s"],
    [59_949, "59.9 s"],
    [59_950, "1 min"],
    [125_000, "2 min 5 s"],
    [12_000_000, "3 h 20 min"],
    [7_199_999, "2 h"],
  ])("of %d ms is %s", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
