/** What the scenario tells a page, in the fragment of its address: it stays over a reload. */
const fields = new URLSearchParams(globalThis.location.hash.slice(1));

export const server = fields.get("server") ?? "";
export const chatId = fields.get("chat") ?? "";
export const headers = { authorization: `Bearer ${fields.get("token")}` };

/** @param {string} path */
export async function load(path) {
  const response = await fetch(`${server}${path}`, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return await response.json();
}

/** The tool that every page runs itself. */
export const pageTool = {
  name: "page_weather",
  description: "The weather, as the page knows it.",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** @param {{ readonly city?: string }} input */
export function weatherIn({ city }) {
  return { city, degrees: 21 };
}

/**
 * For clients that give an edited message a new id: the message of the user that the page had with its last request
 * and has no longer is the one that was edited.
 * @param {readonly { readonly id: string, readonly role: string }[]} stored
 */
export function createEditFinder(stored) {
  let known = stored;
  return (messages) => {
    const kept = new Set(messages.map(({ id }) => id));
    const edited = known.find(({ id, role }) => role === "user" && !kept.has(id));
    known = messages;
    return edited?.id;
  };
}
