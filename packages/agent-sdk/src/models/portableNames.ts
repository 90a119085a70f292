/**
 * Names and ids that every provider takes. A model may call tools by names, and give ids, that its own
 * provider refuses when they come back in the next request.
 */
import { createHash } from "node:crypto";

const portableId = /^[a-zA-Z0-9_-]{1,40}$/;
const portableName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

export function isPortableId(id: string): boolean {
  return portableId.test(id);
}

/** The id itself if it is portable; otherwise a unique replacement. */
export function portableIdOf(id: string): string {
  if (isPortableId(id)) return id;
  const start = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 24);
  return `${start}_${createHash("sha256").update(id).digest("hex").slice(0, 12)}`;
}

export function portableNameOf(name: string): string {
  if (portableName.test(name)) return name;
  const safe = name.replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 63);
  return /^[a-zA-Z_]/.test(safe) ? safe : `_${safe}`;
}
