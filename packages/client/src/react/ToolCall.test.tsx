/** The parts of a call: what they say in each phase, to whom, and that an approval is answered once. */
import type { RunEvent } from "@callboard/run-log";
import { lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { FakeServerOptions } from "../testing/fakeServer.js";
import { problem } from "../testing/fakeServer.js";
import { ToolCall, useConversation } from "./index.js";
import { createPage } from "./testing/page.js";

function Calls({ ids }: { readonly ids: readonly string[] }) {
  const { runs } = useConversation("conv_1");
  const runId = runs[0]?.runId;
  if (runId === undefined) return null;
  return ids.map((id) => (
    <ToolCall.Root key={id} callId={id} runId={runId} className="call">
      <ToolCall.Title />
      <ToolCall.Status />
      <ToolCall.Message data-part="message" />
      <ToolCall.Elapsed />
      <ToolCall.Approval />
      <ToolCall.Input data-part="input" />
      <ToolCall.Output data-part="output" />
      <ToolCall.Failure />
      <ToolCall.Images />
    </ToolCall.Root>
  ));
}

/** A page with the calls of a life, of which so many events have come. */
async function pageOf(name: string, count?: number, options?: FakeServerOptions) {
  const log = lifeNamed(name)?.log ?? [];
  const ids = log.flatMap((event) => (event.type === "call.opened" ? [event.callId] : []));
  const page = createPage(options, log[0]?.at);
  page.server.append(...log.slice(0, count));
  await page.render(<Calls ids={ids} />);
  const find = (selector: string) => page.container.querySelector(selector);
  return { ...page, log, find };
}

const countTo = (name: string, type: RunEvent["type"]): number =>
  (lifeNamed(name)?.log ?? []).findIndex((event) => event.type === type) + 1;

describe("a call on a page", () => {
  it("is named by its title and says its phase in a word", async () => {
    const { find, unmount } = await pageOf("read-file");
    const article = find("article");
    const title = find(`[id="${article?.getAttribute("aria-labelledby")}"]`);
    expect(title?.textContent).toBe("Read src/app.ts");
    expect(article?.getAttribute("data-state")).toBe("done");
    expect(article?.className).toBe("call");
    expect(find("[role=status]")?.textContent).toBe("done");
    expect(find("[data-part=message]")?.textContent).toBe("3 lines");
    expect(find("time")?.textContent).toBe("1.2 s");
    expect(find("[data-part=input]")?.textContent).toContain('"file_path": "src/app.ts"');
    await unmount();
  });

  it("goes through its phases, each announced by a word of its own", async () => {
    const page = await pageOf("approval-allowed", 0);
    const words: string[] = [];
    for (const event of page.log) {
      await page.perform(() => page.server.append(event));
      const word = page.find("[role=status]")?.textContent;
      if (word && words.at(-1) !== word) words.push(word);
    }
    expect(words).toEqual([
      "writing arguments",
      "queued",
      "waiting for approval",
      "queued",
      "running",
      "done",
    ]);
    await page.unmount();
  });

  it("shows arguments as they stream, and is busy meanwhile", async () => {
    const { find, unmount } = await pageOf("read-file", countTo("read-file", "call.input.delta"));
    expect(find("[data-part=input]")?.textContent).toBe('{"file_path"');
    expect(find("article")?.getAttribute("aria-busy")).toBe("true");
    expect(find("[data-part=output]")).toBeNull();
    await unmount();
  });

  it("says why it failed, and keeps what had come", async () => {
    const { find, unmount } = await pageOf("tool-error");
    expect(find("article")?.getAttribute("data-state")).toBe("failed");
    expect(find("[role=alert]")?.textContent).not.toBe("");
    await unmount();
  });

  it("shows pictures with a text for those who do not see them", async () => {
    const { find, unmount } = await pageOf("tool-image");
    const image = find("img");
    expect(image?.getAttribute("src")).toMatch(/^data:image\/\w+;base64,/);
    expect(image?.getAttribute("alt")).toMatch(/^Output of /);
    await unmount();
  });

  it("counts its time while it runs, by the clock it is given", async () => {
    const count = countTo("read-file", "call.run.started");
    const page = await pageOf("read-file", count);
    const startedAt = page.log[count - 1]?.at ?? 0;
    await page.perform(() => page.clock.advance(4_000));
    expect(page.find("time")?.textContent).toBe("3.5 s");
    expect(page.clock.now() - startedAt).toBe(3_480);
    await page.unmount();
    expect(page.clock.sleeping()).toEqual([]);
  });
});

describe("an approval", () => {
  const asked = countTo("approval-allowed", "call.approval.asked");

  it("offers each option by its name, and is sent once", async () => {
    const page = await pageOf("approval-allowed", asked, {
      onOther: ({ path }) =>
        path.includes("/approvals/") ? Response.json({ status: "answered" }) : undefined,
    });
    const buttons = [...page.container.querySelectorAll("button")];
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Allow once", "Reject"]);
    expect(page.find("legend")?.textContent).not.toBe("");
    await page.perform(() => buttons[0]?.click());
    const sent = page.server.heard.at(-1);
    expect(sent?.path).toBe("/api/agent/runs/run_approval-allowed/approvals/ask_call_a1_1_1");
    expect(sent?.body).toEqual({ option_id: "once" });
    expect(page.find("fieldset")?.hasAttribute("disabled")).toBe(true);
    await page.perform(() => page.server.append(...page.log.slice(asked)));
    expect(page.find("fieldset")).toBeNull();
    await page.unmount();
  });

  it("shows why an answer was not taken, and can be answered again", async () => {
    const page = await pageOf("approval-allowed", asked, {
      onOther: ({ path }) =>
        path.includes("/approvals/") ? problem(409, "It was answered already.") : undefined,
    });
    await page.perform(() => page.container.querySelector("button")?.click());
    expect(page.find("fieldset [role=alert]")?.textContent).toMatch(/It was answered already/);
    expect(page.find("fieldset")?.hasAttribute("disabled")).toBe(false);
    await page.unmount();
  });
});
