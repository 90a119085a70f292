/** The list of conversations, rendered on the server, and a place to start a new one. */
import { Chat } from "#chat";
import { serverClient } from "#server";

export const dynamic = "force-dynamic";

export default async function Page() {
  const { items } = await serverClient().conversations.list({ limit: 20 });
  return (
    <main>
      <h1>Conversations</h1>
      <ul>
        {items.map(({ id, title }) => (
          <li key={id}>
            <a href={`/c/${id}`}>{title ?? "Untitled"}</a>
          </li>
        ))}
      </ul>
      <Chat />
    </main>
  );
}
