/** Replaces a page that cannot be shown: the reason, and what to do. */
import type { ReactNode } from "react";
import { Icon, type IconName } from "../values/Icon.js";

export interface ClosedDoorProps {
  readonly title: string;
  /** Default a lock. */
  readonly icon?: IconName;
  /** It replaces a part of the page, whose rest stays. */
  readonly isPart?: true;
  /** What leads on from here. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function ClosedDoor(props: ClosedDoorProps) {
  const { title, icon = "lock", isPart, action, children } = props;
  const Place = isPart ? "div" : "main";
  return (
    <Place className="grid grow place-items-center p-6">
      <div role="alert" className="max-w-sm space-y-2 text-center">
        <Icon name={icon} className="mx-auto size-8 text-quiet" />
        <h2 className="font-semibold text-xl">{title}</h2>
        <p className="text-quiet">{children}</p>
        {action}
      </div>
    </Place>
  );
}
