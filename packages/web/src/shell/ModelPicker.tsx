/** The model that answers, if there is a choice; and that it only rehearses, if it does. */
import type { AgentEntry } from "@callboard/client";
import { type Choice, isSameChoice, offersOf } from "./choices.js";

export interface ModelPickerProps {
  readonly agents: readonly AgentEntry[];
  /** Absent until something was chosen: then it is the first offer. */
  readonly choice: Choice | undefined;
  readonly onChoice: (choice: Choice) => void;
}

export function ModelPicker({ agents, choice, onChoice }: ModelPickerProps) {
  const offers = offersOf(agents);
  const chosen = offers.find((offer) => isSameChoice(offer.choice, choice)) ?? offers[0];
  if (!chosen) return null;
  return (
    <span className="flex items-center gap-2 text-sm">
      {offers.length > 1 ? (
        <select
          aria-label="Model"
          className="field max-w-60 max-sm:max-w-40"
          value={offers.indexOf(chosen)}
          onChange={(event) => {
            const offer = offers[Number(event.target.value)];
            if (offer) onChoice(offer.choice);
          }}
        >
          {offers.map(({ label, problem }, index) => (
            <option key={label} value={index} disabled={problem !== undefined}>
              {problem === undefined ? label : `${label} (cannot run)`}
            </option>
          ))}
        </select>
      ) : (
        // A rehearsal is named by its badge.
        !chosen.isRehearsal && <span className="text-quiet">{chosen.label}</span>
      )}
      {chosen.isRehearsal && (
        <strong
          className={`tag font-medium ${offers.length > 1 ? "max-sm:hidden" : ""}`}
          title="A scripted model that needs no key. It calls real tools. Set CALLBOARD_MODEL to get real answers."
        >
          rehearsal<span className="max-md:hidden"> · scripted, no key</span>
        </strong>
      )}
      {chosen.problem !== undefined && (
        <span role="alert" className="text-failed">
          {chosen.problem}
        </span>
      )}
    </span>
  );
}
