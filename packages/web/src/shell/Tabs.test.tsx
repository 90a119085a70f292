import { act, useState } from "react";
import { expect, it } from "vitest";
import { drawn } from "../testing/drawn.js";
import { Tabs } from "./Tabs.js";

const names = ["Input", "Output", "Raw"] as const;

function Chosen() {
  const [chosen, setChosen] = useState<(typeof names)[number]>("Input");
  return <Tabs label="Parts" names={names} chosen={chosen} onChoose={setChosen} />;
}

it("goes from one tab to the next by arrow key, around the ends, and leaves no such key to the page", async () => {
  const container = await drawn(<Chosen />);
  const heard: string[] = [];
  const hear = ({ key, defaultPrevented }: KeyboardEvent): void => {
    if (!defaultPrevented) heard.push(key);
  };
  window.addEventListener("keydown", hear);
  const chosenAfter = async (key: string): Promise<string | null | undefined> => {
    await act(async () =>
      container
        .querySelector('[aria-selected="true"]')
        ?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })),
    );
    const reached = [...container.querySelectorAll('[tabindex="0"]')];
    expect(reached).toEqual([...container.querySelectorAll('[aria-selected="true"]')]);
    return reached[0]?.textContent;
  };
  const chosen: unknown[] = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End", "x"]) {
    chosen.push(await chosenAfter(key));
  }
  window.removeEventListener("keydown", hear);
  expect(chosen).toEqual(["Output", "Raw", "Input", "Raw", "Input", "Raw", "Raw"]);
  expect(heard).toEqual(["x"]);
});
