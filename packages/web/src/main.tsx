/** The page's one entry: finds its root and puts the board there. */
import { createRoot } from "react-dom/client";

const root = document.getElementById("root");
if (!root) throw new Error("the page has no element #root");
createRoot(root).render(<h1>Callboard</h1>);
