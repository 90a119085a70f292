/** A line across the page with a problem and its remedy. */
import type { ReactNode } from "react";
import { Icon } from "../values/Icon.js";

export interface NoticeProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function Notice({ title, children }: NoticeProps) {
  return (
    <p role="alert" className="notice">
      <Icon name="warning" className="mt-0.5 text-failed" />
      <span className="min-w-0">
        <strong className="text-failed">{title}</strong> {children}
      </span>
    </p>
  );
}
