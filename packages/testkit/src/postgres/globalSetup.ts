/** Vitest's side of the door: opened before the first test file, closed after the last. */
import type { TestProject } from "vitest/node";
import { openDoor } from "./door.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where a test file asks for the run's PostgreSQL server. */
    readonly postgresDoor: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const door = await openDoor();
  project.provide("postgresDoor", door.address);
  return () => door.close();
}
