/**
 * A stored login at an MCP server: the registered client and its tokens. The key is the server's address and not its
 * name: another folder's server of the same name must not get the tokens.
 */

import { readFile } from "node:fs/promises";
import { isFileMissing, parsedJson } from "@callboard/run-log/values";
import { z } from "zod";
import { writeAtomically } from "../system/atomicWrite.js";

/** Secret: its holder can act as the user at that server. */
export interface McpLogin {
  readonly client?: { readonly client_id: string; readonly [field: string]: unknown };
  readonly tokens?: {
    readonly access_token: string;
    readonly token_type: string;
    readonly refresh_token?: string | undefined;
    readonly expires_in?: number | undefined;
    readonly scope?: string | undefined;
    readonly issuer?: string | undefined;
    readonly [field: string]: unknown;
  };
  /** When the access token expires, milliseconds since the epoch. */
  readonly expiresAt?: number;
}

const loginSchema: z.ZodType<McpLogin> = z.object({
  client: z.looseObject({ client_id: z.string() }).exactOptional(),
  tokens: z
    .looseObject({
      access_token: z.string(),
      token_type: z.string(),
      refresh_token: z.string().optional(),
      expires_in: z.number().optional(),
      scope: z.string().optional(),
      issuer: z.string().optional(),
    })
    .exactOptional(),
  expiresAt: z.number().exactOptional(),
});

/** Undefined if the value is not a login. */
export function parseMcpLogin(value: unknown): McpLogin | undefined {
  return loginSchema.safeParse(value).data;
}

/** The server requires a login that is missing, or that it no longer accepts. */
export class McpLoginNeededError extends Error {
  override readonly name = "McpLoginNeededError";
}

/** The logins of one user, by the address of the server. */
export interface McpLogins {
  read(url: string): Promise<McpLogin | undefined>;
  /** Undefined forgets it. */
  write(url: string, login: McpLogin | undefined): Promise<void>;
}

/** Equal for every spelling of an address; query and fragment are ignored. */
export function loginKey(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

export function createMemoryLogins(): McpLogins {
  const kept = new Map<string, McpLogin>();
  return {
    read: (url) => Promise.resolve(kept.get(loginKey(url))),
    async write(url, login) {
      if (login === undefined) kept.delete(loginKey(url));
      else kept.set(loginKey(url), login);
    },
  };
}

export const loginFileName = "mcp-logins.json";

const fileSchema = z.record(z.string(), loginSchema);

/** In one file that only its owner can read. */
export function createFileLogins(path: string): McpLogins {
  let writing: Promise<unknown> = Promise.resolve();

  async function readAll(): Promise<z.infer<typeof fileSchema>> {
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (isFileMissing(error)) return {};
      throw error;
    }
    const read = fileSchema.safeParse(parsedJson(text));
    if (read.success) return read.data;
    throw new Error(`${path} is damaged: delete it and log in to your MCP servers again.`);
  }

  return {
    read: async (url) => (await readAll())[loginKey(url)],
    write(url, login) {
      const written = writing.then(async () => {
        const { [loginKey(url)]: _, ...others } = await readAll();
        const all = login === undefined ? others : { ...others, [loginKey(url)]: login };
        await writeAtomically(path, `${JSON.stringify(all, undefined, 2)}\n`, { isPrivate: true });
      });
      writing = written.catch(() => undefined);
      return written;
    },
  };
}
