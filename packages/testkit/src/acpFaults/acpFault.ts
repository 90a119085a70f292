/** A fault that agents make on ACP, and the rule that it breaks. */
import type { Plant } from "./plants.js";

export interface AcpFault {
  readonly name: string;
  readonly version: 1 | 2;
  /** The rule that the checker must name. */
  readonly rule: string;
  /** Plants it anywhere that it can be: the same seed gives the same place. */
  readonly plant: Plant;
}

export const fault = (name: string, rule: string, plant: Plant, version: 1 | 2 = 1): AcpFault => ({
  name,
  rule,
  version,
  plant,
});

/** The same fault on both versions. */
export const onBoth = (name: string, rule: string, plant: Plant): readonly AcpFault[] => [
  fault(name, rule, plant),
  fault(`${name} on v2`, rule, plant, 2),
];
