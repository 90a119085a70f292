/** The form of updates, and whether their cost is printed at the end. */
import {
  isProfileName,
  type ProfileName,
  profiles,
  statsText,
  type UpdateStats,
} from "@callboard/acp/proxy";
import { lineOf } from "../door/spans.js";
import { UsageError } from "../usageError.js";
import type { World } from "../world.js";

export interface UpdateFlags {
  readonly profile?: string;
  readonly stats?: boolean;
}

export function profileOf({ profile }: UpdateFlags): { readonly profile?: ProfileName } {
  if (profile === undefined) return {};
  if (isProfileName(profile)) return { profile };
  const known = Object.keys(profiles).join(", ");
  throw new UsageError(`--profile is one of ${known}, not ${JSON.stringify(profile)}`);
}

export function tellStats(
  { door }: World,
  { stats = false }: UpdateFlags,
  told: UpdateStats,
): void {
  if (!stats) return;
  for (const line of statsText(told).trimEnd().split("\n")) door.err.line(lineOf(line));
}
