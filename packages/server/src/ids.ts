/** Ids that are the same wherever they are made: names in, a UUID out. */
import { nameUuid } from "@callboard/store";

const namespace = "6f2f6d5f-d7b3-5a7e-9f0f-ca11b0a2d001";

export function namedUuid(...names: readonly string[]): string {
  // Lengths keep two lists of names apart that read the same when joined.
  return nameUuid(namespace, names.map((name) => `${name.length}:${name}`).join(""));
}
