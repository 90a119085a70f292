import { expect, test, vi } from "vitest";
import { drawn } from "../testing/drawn.js";
import { PageGuard } from "./PageGuard.js";

function Broken(): never {
  throw new Error("A part could not be fetched.");
}

test("a page that fails says why and offers to load it again", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const page = await drawn(
    <PageGuard>
      <Broken />
    </PageGuard>,
  );
  told.mockRestore();
  expect(page.textContent).toContain("A part could not be fetched.");
  expect(page.querySelector("button")?.textContent).toBe("Reload the page");
});
