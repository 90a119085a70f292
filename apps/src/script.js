/** What the scripted provider says, and the tool that all apps have. */
import { z } from "zod";

const call = (id, name, input) => ({ id, name, input });

export const answers = {
  twoCalls: [
    {
      text: "Looking.",
      calls: [call("c1", "weather", { city: "Ghent" }), call("c2", "weather", { city: "Nowhere" })],
    },
    { text: "It is 21." },
  ],
  oneCall: [{ calls: [call("c1", "weather", { city: "Ghent" })] }, { text: "It is 21." }],
  /** The outer agent asks the inner one, which calls the tool. */
  nested: [
    { calls: [call("c1", "ask_inner", { input: "Ghent?" })] },
    { calls: [call("c2", "weather", { city: "Ghent" })] },
    { text: "21 in Ghent." },
    { text: "It is 21." },
  ],
};

export const city = z.object({ city: z.string() });

export const toolWords = { description: "Tells the temperature in a city." };

export function cities({ city: name }) {
  if (name === "Nowhere") throw new Error("no such city");
  return `${name}: 21`;
}
