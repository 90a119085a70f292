/** Renderers that a page registers by the name of a tool. */
import type { CallTrack } from "@callboard/run-log/projections";
import { createTracksProjection, project } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { ToolCall, ToolRendererProvider, type ToolRenderers } from "./index.js";
import { createPage } from "./testing/page.js";

const call = project(createTracksProjection(), lifeNamed("read-file")?.log ?? []).at(-1);

afterEach(() => vi.restoreAllMocks());

async function shown(renderers: ToolRenderers, around = (page: ReactNode) => page) {
  if (!call) throw new Error("the life has a call");
  const page = createPage();
  await page.render(
    around(
      <ToolRendererProvider renderers={renderers}>
        <ToolCall.Root call={call}>
          <ToolCall.Input data-part="input" />
          <ToolCall.Output data-part="output" />
        </ToolCall.Root>
      </ToolRendererProvider>,
    ),
  );
  const text = page.container.textContent;
  await page.unmount();
  return text;
}

const plainInput = JSON.stringify(call?.input, null, 2);
const lines = ({ outputText }: CallTrack): ReactNode => `${outputText.split("\n").length} lines`;

it("draws a part of the tool that it is registered for, and leaves the rest as it is", async () => {
  expect(await shown({ [call?.toolName ?? ""]: { output: lines } })).toBe(
    `${plainInput}${lines(call ?? never())}`,
  );
  expect(await shown({ other: { output: lines } })).toBe(`${plainInput}${call?.outputText}`);
});

it("holds inside another provider, whose renderers hold where it has none", async () => {
  const name = call?.toolName ?? "";
  const text = await shown({ other: {} }, (page) => (
    <ToolRendererProvider renderers={{ [name]: { input: () => "outer" } }}>
      {page}
    </ToolRendererProvider>
  ));
  expect(text).toBe(`outer${call?.outputText}`);
});

it("is omitted where it throws: the default is drawn", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const broken = (): ReactNode => {
    throw new Error("no such field");
  };
  const text = await shown({ [call?.toolName ?? ""]: { input: broken } });
  expect(text).toBe(`${plainInput}${call?.outputText}`);
});

function never(): never {
  throw new Error("the life has a call");
}
