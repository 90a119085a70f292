/** The page: conversations, chat and board side by side; on a phone one at a time. */
import { useBoard } from "@callboard/client/react";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import { type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { Sidebar } from "../history/Sidebar.js";
import type { OpenedRecording } from "../recording/RecordingPage.js";
import { ConversationPage } from "./ConversationPage.js";
import { type Choice, isSameChoice, offersOf } from "./choices.js";
import { FileDrop } from "./FileDrop.js";
import { Header } from "./Header.js";
import type { Pane } from "./HeaderParts.js";
import { lazyPart } from "./lazyPart.js";
import { isServerId, Nowhere } from "./Nowhere.js";
import type { Route } from "./route.js";
import { RefusedPage, SessionNotice } from "./SessionNotice.js";
import { useAgents } from "./useAgents.js";
import { useKept } from "./useKept.js";
import { useKeys } from "./useKeys.js";
import type { Go } from "./useRoute.js";

const NeedsYou = lazyPart(() => import("../overview/NeedsYou.js"));
const RecordingPage = lazyPart(() => import("../recording/RecordingPage.js"));
const Overview = lazyPart(() => import("../overview/Overview.js"));
const CompareView = lazyPart(() => import("../compare/CompareView.js"));
const HelpDialog = lazyPart(() => import("./HelpDialog.js"));

export interface AppProps {
  readonly route: Route;
  readonly go: Go;
}

export function App({ route, go }: AppProps) {
  const [pane, setPane] = useState<Pane>("chat");
  const [hasHelp, setHasHelp] = useState(false);
  const [visit, setVisit] = useState(0);
  const [begunId, setBegunId] = useState<string | undefined>(undefined);
  const [version, setVersion] = useState(0);
  const [choice, setChoice] = useState<Choice | undefined>(undefined);
  const [opened, setOpened] = useState<OpenedRecording | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { agents, problem: agentsProblem, refusal } = useAgents();
  const board = useBoard();
  const [isSideShown, showSide] = useKept("side", (text) => text !== "false", true);
  // A run that waits for this person is shown on every page.
  useEffect(() => board.watchMine(), [board]);
  useKeys([["?", () => setHasHelp(true)]]);

  const open = useCallback(
    (conversationId: string | undefined) => {
      setBegunId(undefined);
      setVisit((before) => before + 1);
      setPane("chat");
      go(withoutUndefined({ conversationId }));
    },
    [go],
  );
  const onBegun = useCallback(
    (conversationId: string) => {
      setBegunId(conversationId);
      go({ conversationId }, "replace");
    },
    [go],
  );
  const onOverview = useCallback(() => {
    setPane("chat");
    go({ isOverview: true });
  }, [go]);
  const onRoute = useCallback(
    (next: Route) => {
      setBegunId(undefined);
      setPane("chat");
      go(next);
    },
    [go],
  );
  const onChanged = useCallback(() => setVersion((before) => before + 1), []);

  const openRecording = useCallback(
    async (file: File) => {
      setProblem(undefined);
      try {
        const { openedRecording } = await import("../recording/openedRecording.js");
        const { recording, warning } = await openedRecording(file);
        setOpened(recording);
        setProblem(warning);
        setPane("chat");
        go({ recordingId: recording.id });
      } catch (error) {
        setProblem(messageOfError(error));
      }
    },
    [go],
  );
  const onFile = useCallback((file: File) => void openRecording(file), [openRecording]);
  const { recordingId } = route;
  async function closeRecording(id: string): Promise<void> {
    setOpened(undefined);
    go({});
    const { forgetRecording } = await import("../recording/keptRecordings.js");
    await forgetRecording(id).catch((error: unknown) => setProblem(messageOfError(error)));
  }

  // A conversation that was started here keeps its page when it gets its address.
  const isBegun = route.conversationId === undefined || route.conversationId === begunId;
  const offers = offersOf(agents);
  const { isRehearsal = false } =
    offers.find((offer) => isSameChoice(offer.choice, choice)) ?? offers[0] ?? {};
  const shownProblem = problem ?? agentsProblem;
  const { conversationId } = route;
  const isMistyped = conversationId !== undefined && !isServerId(conversationId);
  return (
    <div className="page-frame">
      <Header
        pane={pane}
        hasConversation={!route.isOverview && !route.compared}
        onPane={setPane}
        agents={agents}
        choice={choice}
        onChoice={setChoice}
        onHelp={() => setHasHelp(true)}
        isAlone={recordingId !== undefined || refusal !== undefined}
        isSideShown={isSideShown}
        onSide={showSide}
      />
      <Suspense>
        <NeedsYou />
      </Suspense>
      {refusal === undefined && <SessionNotice />}
      {shownProblem !== undefined && (
        <p role="alert" className="flex gap-3 border-line border-b px-4 py-2 text-failed text-sm">
          {shownProblem}
          {problem !== undefined && (
            <button type="button" className="button" onClick={() => setProblem(undefined)}>
              Dismiss
            </button>
          )}
        </p>
      )}
      {recordingId !== undefined && (
        <Suspense fallback={<p className="p-4 text-quiet">Opening the recording…</p>}>
          <RecordingPage
            id={recordingId}
            opened={opened}
            onClose={() => void closeRecording(recordingId)}
          />
        </Suspense>
      )}
      {refusal !== undefined && recordingId === undefined && <RefusedPage refusal={refusal} />}
      {refusal === undefined && recordingId === undefined && (
        <main className="flex min-h-0 grow">
          <div
            className={`${pane === "history" ? "flex" : "hidden"} min-h-0 min-w-0 border-line border-r max-lg:grow lg:w-64 lg:shrink-0 ${isSideShown ? "lg:flex" : "lg:hidden"}`}
          >
            <Sidebar
              currentId={route.conversationId}
              isOverview={route.isOverview ?? false}
              onOverview={onOverview}
              version={version}
              onOpen={open}
              onOpenRecording={onFile}
            />
          </div>
          {route.compared && (
            <Face pane={pane} opening="Opening the runs…">
              <CompareView compared={route.compared} onOpen={onRoute} />
            </Face>
          )}
          {route.isOverview && (
            <Face pane={pane} opening="Opening the overview…">
              <Overview onOpen={onRoute} />
            </Face>
          )}
          {isMistyped && <Nowhere what="conversation" onLeave={() => open(undefined)} />}
          {!route.isOverview && !route.compared && !isMistyped && (
            <ConversationPage
              key={isBegun ? `new ${visit}` : route.conversationId}
              route={route}
              go={go}
              pane={pane}
              onPane={setPane}
              choice={choice}
              isRehearsal={isRehearsal}
              onBegun={onBegun}
              onChanged={onChanged}
              onOpen={open}
            />
          )}
        </main>
      )}
      <FileDrop onFile={onFile} />
      {hasHelp && (
        <Suspense>
          <HelpDialog onClose={() => setHasHelp(false)} />
        </Suspense>
      )}
    </div>
  );
}

interface FaceProps {
  readonly pane: Pane;
  /** The text while it loads. */
  readonly opening: string;
  readonly children: ReactNode;
}

/** The content beside the list instead of a conversation. */
function Face({ pane, opening, children }: FaceProps) {
  return (
    <div className={`${pane === "history" ? "max-lg:hidden" : ""} flex min-h-0 min-w-0 grow`}>
      <Suspense fallback={<p className="p-4 text-quiet">{opening}</p>}>{children}</Suspense>
    </div>
  );
}
