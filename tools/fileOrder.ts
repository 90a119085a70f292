/**
 * The order of test files: those that wait for processes and browsers first, pure ones last, so that the workers end
 * at about the same time. Files of one kind stay together, because a worker is kept only for the next file of its kind.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const kinds = [/\.e2e\.test\.tsx?$/, /\.int\.test\.tsx?$/, /\.tsx$/, /./];

export class FileOrder extends BaseSequencer {
  /** Within one kind Vitest's own order stays: the slowest of the last run first, or else the largest. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => kindOf(one) - kindOf(other));
  }
}

function kindOf({ moduleId }: TestSpecification): number {
  return kinds.findIndex((kind) => kind.test(moduleId));
}
