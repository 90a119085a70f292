/** The page's one entry: finds its root and puts the board there. */
import { CallboardProvider } from "@callboard/client/react";
import { createRoot } from "react-dom/client";
import { PageGuard } from "./shell/PageGuard.js";
import { Root } from "./shell/Root.js";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no element #root");
createRoot(root).render(
  <PageGuard>
    <CallboardProvider>
      <Root />
    </CallboardProvider>
  </PageGuard>,
);
