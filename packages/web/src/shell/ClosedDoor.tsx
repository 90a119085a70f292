/** Replaces the page if the server refuses it: the reason, and what to do. */
import type { ReactNode } from "react";
import { Icon } from "../values/Icon.js";

export interface ClosedDoorProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function ClosedDoor({ title, children }: ClosedDoorProps) {
  return (
    <main className="grid grow place-items-center p-6">
      <div role="alert" className="max-w-sm space-y-2 text-center">
        <Icon name="lock" className="mx-auto size-8 text-quiet" />
        <h2 className="font-semibold text-xl">{title}</h2>
        <p className="text-quiet">{children}</p>
      </div>
    </main>
  );
}
