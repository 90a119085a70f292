/**
 * An opened recording, counted: what is mounted of a log full of calls, and what one step of its replay
 * renders; where what the checker found is marked; and that nothing lasts where no times are told.
 */
import type * as ClientReact from "@callboard/client/react";
import { formatEventLine } from "@callboard/run-log";
import type * as RunLog from "@callboard/run-log/projections";
import { dialects, lifeNamed } from "@callboard/testkit";
import { act } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { drawn } from "../testing/drawn.js";
import { callHeavyLog } from "../testing/longLog.js";
import type * as RecordingViewModule from "./RecordingView.js";
import { recordingOf } from "./recording.js";

const said = vi.hoisted((): string[] => []);

// Each line says its call in words whenever it renders.
vi.mock("@callboard/run-log/projections", async (original) => {
  const real = await original<typeof RunLog>();
  const describeTrack: typeof real.describeTrack = (track, now) => {
    said.push(track.callId);
    return real.describeTrack(track, now);
  };
  return { ...real, describeTrack };
});

let CallboardProvider: typeof ClientReact.CallboardProvider;
let RecordingView: typeof RecordingViewModule.default;

beforeAll(async () => {
  // Other files of this worker may have loaded the view without what is counted here.
  vi.resetModules();
  ({ CallboardProvider } = await import("@callboard/client/react"));
  ({ default: RecordingView } = await import("./RecordingView.js"));
});

/** Who watches what comes into sight; a document without layout never tells. */
const watched = new Map<Element, (isNear: boolean) => void>();

class FakeObserver implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = "";
  readonly scrollMargin = "";
  readonly thresholds = [];
  readonly #tell: IntersectionObserverCallback;
  #own: Element[] = [];
  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    this.#own.push(target);
    watched.set(target, (isIntersecting) => {
      const boundingClientRect = new DOMRect(0, 0, 100, 480);
      const rest = { target, time: 0, intersectionRatio: 0, rootBounds: null };
      const entry = { ...rest, isIntersecting, boundingClientRect };
      this.#tell([{ ...entry, intersectionRect: boundingClientRect }], this);
    });
  }
  unobserve(): void {}
  disconnect(): void {
    for (const target of this.#own) watched.delete(target);
    this.#own = [];
  }
  takeRecords(): [] {
    return [];
  }
}

beforeEach(() => {
  vi.stubGlobal("IntersectionObserver", FakeObserver);
  return () => vi.unstubAllGlobals();
});

function opened(name: string, text: string): Promise<HTMLElement> {
  return drawn(
    <CallboardProvider>
      <RecordingView recording={recordingOf(name, text)} />
    </CallboardProvider>,
  );
}

const click = (view: HTMLElement, selector: string): Promise<void> =>
  act(async () => view.querySelector<HTMLElement>(selector)?.click());

it("mounts little of fifteen hundred calls, and renders little for a step", async () => {
  const view = await opened("heavy", callHeavyLog(1_512));
  const callsIn = (): readonly (string | null)[] =>
    [...view.querySelectorAll("[data-call]")].map((one) => one.getAttribute("data-call"));
  expect(view.querySelectorAll("*").length).toBeLessThan(2_000);
  expect(callsIn()).toEqual(Array.from({ length: 24 }, (_, at) => `call_${1_488 + at}`));
  const costs: number[] = [];
  for (let step = 0; step < 14; step += 1) {
    said.length = 0;
    await click(view, "[aria-label='One event back']");
    costs.push(said.length);
  }
  expect(Math.max(...costs)).toBeGreaterThan(0);
  expect(Math.max(...costs)).toBeLessThan(100);
  expect(view.querySelectorAll("*").length).toBeLessThan(2_000);
});

it("mounts what comes near, keeps what was opened, and keeps the order", async () => {
  const view = await opened("heavy", callHeavyLog(240));
  const stretches = [...view.querySelectorAll("[data-run] [data-stretch] [data-stretch]")];
  expect(stretches).toHaveLength(10);
  expect(stretches[2]?.textContent).toBe("24 calls");
  const tell = (index: number, isNear: boolean): Promise<void> =>
    act(async () => {
      const stretch = stretches[index];
      if (stretch) watched.get(stretch)?.(isNear);
    });
  const firstCalls = (): readonly (string | null | undefined)[] =>
    stretches.map((one) => one.querySelector("[data-call]")?.getAttribute("data-call"));
  await tell(2, true);
  await tell(3, true);
  expect(firstCalls().slice(1, 5)).toEqual([undefined, "call_48", "call_72", undefined]);
  const details = stretches[3]?.querySelector("details");
  await act(async () => {
    details?.setAttribute("open", "");
    details?.dispatchEvent(new Event("toggle"));
  });
  await tell(2, false);
  await tell(3, false);
  expect(firstCalls().slice(1, 5)).toEqual([undefined, undefined, "call_72", undefined]);
  expect(stretches[2]?.getAttribute("style")).toBe("height: 480px;");
});

it("marks what was found on its line, on its call and on the scrubber", async () => {
  const log = lifeNamed("parallel-calls")?.log ?? [];
  const lost = log.findLast((event) => event.type === "call.closed");
  const text = log
    .filter((event) => event !== lost)
    .map(formatEventLine)
    .join("");
  const { report } = recordingOf("lost", text);
  const found = report.findings.filter(({ callId }) => callId === lost?.callId);
  expect(found.length).toBeGreaterThan(0);
  const view = await opened("lost", text);
  const row = view.querySelector(`[data-row="${lost?.callId}"]`);
  expect(row?.textContent).toContain(`${found.length} found by the checker`);
  expect(view.querySelectorAll("[data-row]").length).toBeGreaterThan(1);
  const lines = new Set(report.findings.map(({ line }) => line)).size;
  expect(view.querySelector("[data-marks]")?.getAttribute("data-marks")).toBe(String(lines));
  await act(async () =>
    [...view.querySelectorAll("button")].find((one) => one.textContent === "Events")?.click(),
  );
  const marked = [...view.querySelectorAll("p > [data-icon=warning]")];
  expect(marked).toHaveLength(report.findings.length);
});

it("says nowhere how long something took where no times are told", async () => {
  const log = lifeNamed("approval-allowed")?.log ?? [];
  const lines = dialects.find(({ name }) => name === "acp-v1")?.linesOf(log) ?? [];
  const view = await opened("acp", lines.join("\n"));
  await click(view, "[data-row]");
  const shown = (): string =>
    [...view.querySelectorAll("section")].map(({ textContent }) => textContent).join("\n");
  expect(view.querySelector("header")?.textContent).toContain("· 1 call ·");
  for (const name of ["Timeline", "List", "Events", "Tools"]) {
    await act(async () =>
      [...view.querySelectorAll("button")].find((one) => one.textContent === name)?.click(),
    );
    expect(shown(), name).not.toMatch(/\d ms|\d s\b|\+0\.0/);
  }
});
