/** The page for a link that is no longer valid. */
import { ClosedDoor } from "../shell/ClosedDoor.js";
import { Mark, ThemeButton } from "../shell/HeaderParts.js";
import type { EndedLink } from "../shell/route.js";

const words: Readonly<Record<EndedLink, readonly [title: string, what: string]>> = {
  expired: ["This link has expired.", "Ask the person who sent it for a new one."],
  revoked: ["This link was revoked.", "Ask the person who sent it for a new one."],
  unknown: ["There is no such link.", "Check that the address is whole, or ask for a new link."],
};

export default function EndedLinkPage({ status }: { readonly status: EndedLink }) {
  const [title, what] = words[status];
  return (
    <div className="page-frame">
      <header className="page-header">
        <h1 className="flex grow items-center gap-2 font-semibold">
          <Mark /> Callboard
        </h1>
        <ThemeButton />
      </header>
      <ClosedDoor title={title}>{what}</ClosedDoor>
    </div>
  );
}
