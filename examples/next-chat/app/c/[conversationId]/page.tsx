/** One conversation: what is stored is in the page that the server sends; the stream takes over. */
import { storedMessages } from "@callboard/client";
import { Chat } from "#chat";
import { serverClient } from "#server";

export const dynamic = "force-dynamic";

interface PageProps {
  readonly params: Promise<{ readonly conversationId: string }>;
}

export default async function Page({ params }: PageProps) {
  const { conversationId } = await params;
  const { conversations } = serverClient();
  const [messages, toolCalls] = await Promise.all([
    conversations.messages(conversationId),
    conversations.toolCalls(conversationId),
  ]);
  return (
    <main>
      <p>
        <a href="/">All conversations</a>
      </p>
      <Chat
        conversationId={conversationId}
        stored={storedMessages(messages.items, toolCalls.items)}
      />
    </main>
  );
}
