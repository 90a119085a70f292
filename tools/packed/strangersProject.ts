/**
 * A project of a user who installed the packages: their packed files in its own `node_modules`, everything else
 * from this repository. Files are hard links, so it costs little.
 */
import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packedFiles, publishedPackages } from "./packages.js";

export interface InstalledPackage {
  readonly name: string;
  /** Where the project has it. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** Installs all packages into `project`, which is emptied before. */
export function installPackages(root: string, project: string): readonly InstalledPackage[] {
  rmSync(project, { recursive: true, force: true });
  return publishedPackages(root).map((published) => {
    const files = packedFiles(published);
    const folder = join(project, "node_modules", published.name);
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      linkSync(join(published.folder, file), join(folder, file));
    }
    return { name: published.name, folder, files };
  });
}

export function writeProject(project: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
}
