/** `npm run reference`: writes the reference pages of the packages. */
import { writeFileSync } from "node:fs";
import { documentedPackages, referencePageOf, referencePathOf } from "./reference/page.js";

for (const folder of documentedPackages) {
  const path = referencePathOf(folder);
  writeFileSync(path, referencePageOf(folder));
  console.log(`wrote ${path}`);
}
