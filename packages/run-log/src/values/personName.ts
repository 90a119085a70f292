/** Who acted, for a sentence that people read. An id means nothing to a reader: it stays in the event. */
const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

export function personName(actor: string): string {
  const name = actor.replaceAll(ids, "").trim();
  return name === "" ? "a user" : name;
}
