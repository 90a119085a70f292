/** The MCP servers of the agents: the user's logins, with login and logout. */
import type { McpServerEntry } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useState } from "react";
import { Dialog } from "../shell/Dialog.js";
import { visibleText } from "../values/visibleText.js";

export default function McpServersDialog({ onClose }: { readonly onClose: () => void }) {
  const { client } = useBoard();
  const [servers, setServers] = useState<readonly McpServerEntry[] | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const read = async (_version: number): Promise<void> =>
      setServers(await client.mcpServers({ signal: stop.signal }));
    read(version).catch((error: unknown) => {
      if (!stop.signal.aborted) setProblem(messageOfError(error));
    });
    return () => stop.abort();
  }, [client, version]);

  /** Whoever comes back from the server's page sees how it went. */
  useEffect(() => {
    const look = (): void => setVersion((before) => before + 1);
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, []);

  return (
    <Dialog title="MCP servers" onClose={onClose}>
      <p className="mb-3 text-quiet text-sm">
        An agent uses these servers in your name while you are logged in there.
      </p>
      {problem !== undefined && (
        <p role="alert" className="mb-2 text-failed text-sm">
          {problem}
        </p>
      )}
      {servers === undefined && problem === undefined && <p className="text-quiet">Reading…</p>}
      {servers?.length === 0 && (
        <p className="text-quiet text-sm">No agent has a server that takes logins.</p>
      )}
      <ul className="space-y-2">
        {(servers ?? []).map((server) => (
          <ServerRow
            key={server.url}
            server={server}
            onProblem={setProblem}
            onChange={() => setVersion((before) => before + 1)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface ServerRowProps {
  readonly server: McpServerEntry;
  readonly onProblem: (problem: string | undefined) => void;
  readonly onChange: () => void;
}

function ServerRow({ server, onProblem, onChange }: ServerRowProps) {
  const { client } = useBoard();
  const [address, setAddress] = useState<string | undefined>(undefined);
  const name = visibleText(server.name);

  async function trying(work: () => Promise<void>): Promise<void> {
    onProblem(undefined);
    try {
      await work();
    } catch (error) {
      onProblem(messageOfError(error));
    }
  }
  const logIn = () => trying(async () => setAddress((await client.beginMcpLogin(server.url)).url));
  const logOut = () =>
    trying(async () => {
      await client.forgetMcpLogin(server.url);
      setAddress(undefined);
      onChange();
    });

  return (
    <li className="flex items-start gap-3 rounded border border-line p-2">
      <span className="min-w-0 grow">
        <span className="block break-words">{name}</span>
        <code className="block break-all font-mono text-quiet text-xs">
          {visibleText(server.url)}
        </code>
        <span className="text-xs">{server.is_logged_in ? "Logged in" : "Not logged in"}</span>
      </span>
      {server.is_logged_in ? (
        <button
          type="button"
          className="button shrink-0"
          aria-label={`Log out of ${name}`}
          onClick={() => void logOut()}
        >
          Log out
        </button>
      ) : address === undefined ? (
        <button
          type="button"
          className="button shrink-0"
          aria-label={`Log in to ${name}`}
          onClick={() => void logIn()}
        >
          Log in
        </button>
      ) : (
        <a href={address} target="_blank" rel="noopener noreferrer" className="button shrink-0">
          Open the page
        </a>
      )}
    </li>
  );
}
