/** What is shown for a link that opens nothing any more. */
import { Mark, ThemeButton } from "../shell/HeaderParts.js";
import type { EndedLink } from "../shell/route.js";
import { Icon } from "../values/Icon.js";

const words: Readonly<Record<EndedLink, readonly [title: string, what: string]>> = {
  expired: ["This link has expired.", "Ask the person who sent it for a new one."],
  revoked: ["This link was revoked.", "Ask the person who sent it for a new one."],
  unknown: ["There is no such link.", "Check that the address is whole, or ask for a new link."],
};

export default function EndedLinkPage({ status }: { readonly status: EndedLink }) {
  const [title, what] = words[status];
  return (
    <div className="flex h-dvh flex-col">
      <header className="page-header">
        <h1 className="flex grow items-center gap-2 font-semibold">
          <Mark /> Callboard
        </h1>
        <ThemeButton />
      </header>
      <main className="grid grow place-items-center p-6">
        <div role="alert" className="max-w-sm space-y-2 text-center">
          <Icon name="lock" className="mx-auto size-8 text-quiet" />
          <h2 className="font-semibold text-xl">{title}</h2>
          <p className="text-quiet">{what}</p>
        </div>
      </main>
    </div>
  );
}
