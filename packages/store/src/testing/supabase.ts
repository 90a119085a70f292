/**
 * A Supabase to test against: the project of `SUPABASE_URL`, else one inside this process. Either way it is
 * spoken to by supabase-js and nothing else.
 */
import { randomUUID } from "node:crypto";
import { App } from "@supabase/lite";
import { createPgliteConnection } from "@supabase/lite/pglite";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { z } from "zod";
import { migrate } from "../migrations/migrate.js";
import type { SqlDatabase, SqlRow } from "../migrations/sqlSession.js";

export interface SupabaseUser {
  readonly userId: string;
  readonly client: SupabaseClient;
}

export interface SupabaseStage {
  readonly anon: SupabaseClient;
  /** With the secret key: writes everything. */
  readonly service: SupabaseClient;
  signUp(): Promise<SupabaseUser>;
  /** The accounts that were made go, and all of their rows with them. */
  close(): Promise<void>;
}

/** Node before 22 has no WebSocket, which the client wants even when it is not used. */
if (!("WebSocket" in globalThis)) Object.assign(globalThis, { WebSocket });

const auth = { persistSession: false, autoRefreshToken: false };

export async function openSupabase(): Promise<SupabaseStage> {
  return process.env.SUPABASE_URL === undefined ? await openLite() : openProject();
}

const projectSchema = z.object({
  SUPABASE_URL: z.url(),
  SUPABASE_PUBLISHABLE_KEY: z.string().min(1),
  SUPABASE_SECRET_KEY: z.string().min(1),
});

/** A real project, on which `callboard db migrate` has been run. */
function openProject(): SupabaseStage {
  const project = projectSchema.parse(process.env);
  const open = (key: string) => createClient(project.SUPABASE_URL, key, { auth });
  const service = open(project.SUPABASE_SECRET_KEY);
  const made: string[] = [];
  return {
    anon: open(project.SUPABASE_PUBLISHABLE_KEY),
    service,
    async signUp() {
      const account = newAccount();
      const { data, error } = await service.auth.admin.createUser({
        ...account,
        email_confirm: true,
      });
      if (error) throw error;
      made.push(data.user.id);
      const client = open(project.SUPABASE_PUBLISHABLE_KEY);
      const signedIn = await client.auth.signInWithPassword(account);
      if (signedIn.error) throw signedIn.error;
      return { userId: data.user.id, client };
    },
    async close() {
      for (const userId of made) await service.auth.admin.deleteUser(userId);
    },
  };
}

const url = "http://supabase.test";
const keys = { publishable_key: "sb_publishable_callboard", secret_key: "sb_secret_callboard" };

async function openLite(): Promise<SupabaseStage> {
  process.env.LITE_TELEMETRY = "0";
  const connection = await createPgliteConnection();
  const app = new App({
    connection,
    auth: {
      enabled: true,
      ...keys,
      jwt_secret: randomUUID(),
      email: { enable_confirmations: false },
    },
  });
  await app.ensureSystemSchema();
  await migrate(databaseOf(connection.driver));
  await app.init();
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    await app.fetch(new Request(input, init));
  const open = (key: string) => createClient(url, key, { auth, global: { fetch } });
  return {
    anon: open(keys.publishable_key),
    service: open(keys.secret_key),
    async signUp() {
      const client = open(keys.publishable_key);
      const { data, error } = await client.auth.signUp(newAccount());
      if (error) throw error;
      if (!data.user) throw new Error("signing up gave no user");
      return { userId: data.user.id, client };
    },
    close: () => connection.close(),
  };
}

function newAccount(): { readonly email: string; readonly password: string } {
  return { email: `${randomUUID()}@callboard.test`, password: randomUUID() };
}

interface LitePGlite {
  transaction<Value>(work: (transaction: LiteTransaction) => Promise<Value>): Promise<Value>;
}

interface LiteTransaction {
  exec(script: string): Promise<unknown>;
  query<Row>(statement: string, parameters?: unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** It brings a PGlite of its own, of another version. */
function databaseOf(pglite: LitePGlite): SqlDatabase {
  return {
    transaction: (work) =>
      pglite.transaction((inner) =>
        work({
          runScript: async (script) => {
            await inner.exec(script);
          },
          query: async (statement, parameters = []) =>
            (await inner.query<SqlRow>(statement, [...parameters])).rows,
        }),
      ),
  };
}
