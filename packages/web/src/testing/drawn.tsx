/** What a component draws, in a document without layout; gone after the test. */
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";

export async function drawn(node: ReactNode): Promise<HTMLElement> {
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  onTestFinished(async () => {
    await act(async () => root.unmount());
    container.remove();
  });
  await act(async () => root.render(node));
  return container;
}

/** Its elements and words, without looks. */
export function bareMarkup(container: HTMLElement): string {
  for (const one of container.querySelectorAll("*")) {
    one.removeAttribute("class");
    one.removeAttribute("tabindex");
  }
  return container.innerHTML;
}
