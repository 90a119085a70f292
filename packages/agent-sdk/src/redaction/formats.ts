/** Every form of secret that is known by its own look. */
import { developerFormats } from "./formats/developerFormats.js";
import type { SecretFormat } from "./formats/format.js";
import { platformFormats } from "./formats/platformFormats.js";
import { serviceFormats } from "./formats/serviceFormats.js";

export const secretFormats: readonly SecretFormat[] = [
  ...developerFormats,
  ...serviceFormats,
  ...platformFormats,
];
