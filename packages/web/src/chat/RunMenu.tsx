/** The actions for a run that is over. Loaded with the first one that is. */
import { Suspense, useState } from "react";
import { lazyPart } from "../shell/lazyPart.js";
import { Menu } from "../shell/Menu.js";
import type { RunDoing } from "./RunSection.js";

const PromptDialog = lazyPart(() => import("./PromptDialog.js"));

export interface RunMenuProps extends Pick<RunDoing, "onFork" | "onCompare"> {
  readonly runId: string;
}

export default function RunMenu({ runId, onFork, onCompare }: RunMenuProps) {
  const [hasPrompt, setHasPrompt] = useState(false);
  return (
    <>
      <Menu
        label="More about this run"
        items={[
          { icon: "fork", name: "Fork from here", onChoose: () => onFork(runId) },
          {
            icon: "prompt",
            name: "Prompt as it was sent",
            onChoose: () => setHasPrompt(true),
          },
          {
            icon: "compare",
            name: "Compare with another run",
            onChoose: () => onCompare(runId),
          },
        ]}
      />
      {hasPrompt && (
        <Suspense>
          <PromptDialog runId={runId} onClose={() => setHasPrompt(false)} />
        </Suspense>
      )}
    </>
  );
}
