"use client";
/** One board for the whole application: every page shares its one stream. */

import { CallboardProvider } from "@callboard/client/react";
import type { ReactNode } from "react";

export function Providers({ children }: { readonly children: ReactNode }) {
  return <CallboardProvider>{children}</CallboardProvider>;
}
