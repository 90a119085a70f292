/** The page of an address: the board of a person, or one conversation by a link. */
import { Suspense } from "react";
import { App } from "./App.js";
import { lazyPart } from "./lazyPart.js";
import { useRoute } from "./useRoute.js";

const EndedLinkPage = lazyPart(() => import("../visit/EndedLinkPage.js"));
const VisitorPage = lazyPart(() => import("../visit/VisitorPage.js"));

export function Root() {
  const [route, go] = useRoute();
  const { isVisit, conversationId, endedLink } = route;
  if (endedLink) {
    return (
      <Suspense>
        <EndedLinkPage status={endedLink} />
      </Suspense>
    );
  }
  if (isVisit && conversationId !== undefined) {
    return (
      <Suspense fallback={<p className="p-4 text-quiet">Opening the conversation…</p>}>
        <VisitorPage key={conversationId} route={{ ...route, conversationId }} go={go} />
      </Suspense>
    );
  }
  return <App route={route} go={go} />;
}
