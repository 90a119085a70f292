/** A question of the model: what can be answered with, what is sent, and what those see who only look. */
import { createBoard, createClient } from "@callboard/client";
import { CallboardProvider } from "@callboard/client/react";
import type { JsonValue } from "@callboard/run-log";
import { type CallTrack, createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { act } from "react";
import { expect, it } from "vitest";
import { VisitProvider } from "../shell/moment.js";
import { drawn } from "../testing/drawn.js";
import AskView from "./AskView.js";

function asking(input: JsonValue): CallTrack {
  const log = lifeNamed("question-parked")?.log ?? [];
  const open = log.slice(
    0,
    log.findIndex(({ type }) => type === "run.parked"),
  );
  const track = project(createTracksProjection(), open).at(-1);
  if (!track) throw new Error("there is no call");
  return { ...track, input };
}

async function shown(track: CallTrack, isVisit = false) {
  const sent: unknown[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push([new URL(String(url)).pathname, JSON.parse(String(init?.body))]);
    return Response.json({ status: "ok" });
  };
  const client = createClient({ fetch, baseUrl: "http://callboard.test" });
  const container = await drawn(
    <CallboardProvider board={createBoard({ client })}>
      <VisitProvider value={isVisit}>
        <AskView track={track} />
      </VisitProvider>
    </CallboardProvider>,
  );
  const named = (name: string): HTMLElement | undefined =>
    [...container.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);
  return {
    sent,
    container,
    buttons: () => [...container.querySelectorAll("button")].map((one) => one.textContent?.trim()),
    click: (name: string) => act(async () => named(name)?.click()),
    write: (selector: string, text: string) =>
      act(async () => {
        const field = container.querySelector(selector);
        const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;
        set?.call(field, text);
        field?.dispatchEvent(
          new Event(selector === "select" ? "change" : "input", { bubbles: true }),
        );
      }),
    problem: () => container.querySelector("[role=alert]")?.textContent,
  };
}

const path = "/api/agent/runs/run_question-parked/calls/call_a1_1/result";

it("sends the choice that is pressed, once", async () => {
  const page = await shown(asking({ question: "Which colour?", choices: ["red", "green"] }));
  expect(page.container.textContent).toContain("Which colour?");
  expect(page.container.querySelector("textarea")).toBeNull();
  expect(page.buttons()).toEqual(["red", "green", "Decline to answer"]);
  await page.click("green");
  expect(page.sent).toEqual([[path, { output: "green" }]]);
  expect(page.container.querySelector("fieldset")?.disabled).toBe(true);
});

it("sends several choices, and another answer where one is allowed", async () => {
  const question = {
    question: "Which?",
    choices: ["a", "b", "c"],
    multiple: true,
    allow_text: true,
  };
  const page = await shown(asking(question));
  for (const name of ["c", "a", "b", "b"]) await page.click(name);
  const pressed = [...page.container.querySelectorAll("[aria-pressed=true]")];
  expect(pressed.map((one) => one.textContent?.trim())).toEqual(["a", "c"]);
  expect(page.sent).toEqual([]);
  await page.write("textarea", "d");
  await page.click("Answer");
  expect(page.sent).toEqual([[path, { output: ["c", "a", "d"] }]]);
});

it("takes a text, and says what is wrong with an empty one", async () => {
  const page = await shown(asking({ question: "Why?" }));
  await page.click("Answer");
  expect([page.problem(), page.sent]).toEqual(["Not answered: answer: the text is empty.", []]);
  await page.write("textarea", "because");
  await page.click("Answer");
  expect([page.problem(), page.sent]).toEqual([undefined, [[path, { output: "because" }]]]);
});

it("draws a form by its schema and leaves out what was left empty", async () => {
  const properties = {
    name: { type: "string", title: "Your name" },
    age: { type: "integer", default: 7 },
    size: { type: "string", enum: ["S", "M"] },
    fast: { type: "boolean" },
    note: { type: "string", description: "anything" },
  };
  const form = { type: "object", properties, required: ["name"] };
  const page = await shown(asking({ question: "Who?", form }));
  const labels = [...page.container.querySelectorAll("label")].map((one) => one.textContent);
  expect(labels).toEqual(["Your name (required)", "age", "size", "fast", "note"]);
  await page.click("Answer");
  expect(page.problem()).toBe("Not answered: name: this field is required.");
  await page.write("input[type=text]", "Ada");
  await page.write("input[inputmode=decimal]", "x");
  await page.click("Answer");
  expect(page.problem()).toBe("Not answered: age: give a number.");
  await page.write("input[inputmode=decimal]", "36");
  await page.write("select", "M");
  await act(async () => page.container.querySelector<HTMLElement>("[type=checkbox]")?.click());
  await page.click("Answer");
  expect(page.sent).toEqual([[path, { output: { name: "Ada", age: 36, size: "M", fast: true } }]]);
});

it("declines", async () => {
  const page = await shown(asking({ question: "Why?" }));
  await page.click("Decline to answer");
  expect(page.sent).toEqual([[path, { is_error: true }]]);
});

it("shows the question to a visitor without controls", async () => {
  const question = { question: "Which colour?", choices: ["red", "green"], allow_text: true };
  const { container } = await shown(asking(question), true);
  expect(container.textContent).toBe("Which colour?redgreenIts owner is asked.");
  expect(container.querySelector("button, input, textarea, select, form")).toBeNull();
});

it("shows what was answered, and no controls any more", async () => {
  const log = lifeNamed("question-parked")?.log ?? [];
  const track = project(createTracksProjection(), log).at(-1);
  if (!track) throw new Error("there is no call");
  const { container } = await shown(track);
  expect(container.textContent).toBe("Which colour?Answer:green");
  expect(container.querySelector("button")).toBeNull();
  const input = { question: "Which?", choices: ["a", "b"], multiple: true };
  const several = await shown({ ...track, input, outputText: '["a","b"]' });
  expect([...several.container.querySelectorAll("li")].map((one) => one.textContent)).toEqual([
    "a",
    "b",
  ]);
});

it("draws hostile text as text, and writes out what nobody could see", async () => {
  const hostile = "<img src=x onerror=alert(1)>\u202e**b**";
  const form = {
    type: "object",
    properties: { [hostile]: { type: "string", description: hostile } },
  };
  for (const question of [
    { question: hostile, choices: [hostile] },
    { question: hostile, form },
  ]) {
    const { container } = await shown(asking(question));
    expect(container.querySelector("img, strong")).toBeNull();
    const text = container.textContent ?? "";
    expect(text.split("<img src=x onerror=alert(1)>[U+202E]**b**")).toHaveLength(
      "form" in question ? 4 : 3,
    );
    expect(text).not.toContain("\u202e");
  }
});
