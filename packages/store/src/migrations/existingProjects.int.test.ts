import { randomUUID } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planIn } from "../administration/schema.js";
import { ForeignDatabaseError } from "../errors.js";
import { openStore } from "../openStore.js";
import { foreignCatalogue } from "../testing/foreignCatalogue.js";
import { foreignShapes, projectWithAccounts } from "../testing/foreignShapes.js";
import { seedTenant } from "../testing/tenant.js";
import { createListener, createStillClock } from "../testing/testStore.js";
import { migrate } from "./migrate.js";
import { readMigrations } from "./migrationFiles.js";
import { databaseOfClient, type SqlDatabase } from "./sqlSession.js";

const own = await readMigrations();

describe("a database that is somebody's already", () => {
  let test: TestDatabase;
  let client: pg.Client;
  let database: SqlDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
    client = new pg.Client({ connectionString: test.url });
    await client.connect();
    database = databaseOfClient(client);
  });
  afterEach(async () => {
    await client.end();
    await test.drop();
  });

  const catalogue = () => database.transaction(foreignCatalogue);

  async function asUser(userId: string, statement: string, id: string): Promise<unknown[]> {
    return await database.transaction(async (session) => {
      await session.query("select set_config('role', 'authenticated', true)");
      await session.query("select set_config('request.jwt.claims', $1, true)", [
        JSON.stringify({ sub: userId }),
      ]);
      return [...(await session.query(statement, [id]))];
    });
  }

  /** A user that the database knows, where it keeps accounts. */
  async function newUser(): Promise<string> {
    const userId = randomUUID();
    const { rows } = await client.query("select to_regclass('auth.users') is not null as has");
    if (rows[0]?.has) await client.query("insert into auth.users (id) values ($1)", [userId]);
    return userId;
  }

  it("is known in at least 20 shapes", () => {
    expect(foreignShapes.length).toBeGreaterThanOrEqual(20);
  });

  it.each(foreignShapes)("keeps all that it had: $name", async ({ script, allows }) => {
    await client.query(script);
    const before = await catalogue();
    await migrate(database);
    expect(await catalogue()).toEqual(before);

    const owner = await newUser();
    const stranger = await newUser();
    const before2 = await catalogue();
    const id = randomUUID();
    await client.query("insert into cx_conversation (id, user_id) values ($1, $2)", [id, owner]);
    const read = "select id from cx_conversation where id = $1";
    expect(await asUser(owner, read, id)).toEqual([{ id }]);
    expect(await asUser(stranger, read, id)).toEqual(allows === true ? [{ id }] : []);
    expect(await migrate(database)).toEqual([]);
    expect(await catalogue()).toEqual(before2);
  });

  it("loses all rows of an account that the project's auth service deletes", async () => {
    await client.query(projectWithAccounts);
    await migrate(database);
    const userId = await newUser();
    await database.transaction((session) => seedTenant(session, userId));
    const service = `callboard_test_auth_${randomUUID().replaceAll("-", "")}`;
    await client.query(`create role ${service} nologin;
      grant ${service} to current_user;
      grant usage on schema auth to ${service};
      grant select, delete on auth.users to ${service};`);
    await client.query(`set role ${service}`);
    await client.query("delete from auth.users where id = $1", [userId]);
    await client.query(`reset role; drop owned by ${service}; drop role ${service};`);
    const counts = await client.query(
      "select (select count(*) from cx_conversation) + (select count(*) from cx_run) + (select count(*) from cx_run_delta) as rows",
    );
    expect(counts.rows).toEqual([{ rows: "0" }]);
  });

  it("asks the project's has_permission for each level that it knows", async () => {
    await client.query(`
      create type level as enum ('viewer', 'editor');
      create function has_permission(text, uuid, level) returns boolean language sql as 'select $3 = ''viewer''';
    `);
    await migrate(database);
    const levels = `select cx_has_permission('cx_conversation', $1, 'viewer') as viewer,
      cx_has_permission('cx_conversation', $1, 'editor') as editor,
      cx_has_permission('cx_conversation', $1, 'admin') as admin`;
    expect(await asUser(randomUUID(), levels, randomUUID())).toEqual([
      { viewer: true, editor: false, admin: false },
    ]);
  });

  it("lists what only the project's has_permission shares, but no public ones of strangers", async () => {
    await client.query(
      "create function has_permission(text, uuid, text) returns boolean language sql as 'select true'",
    );
    await migrate(database);
    const [owner, colleague, shared, shown] = [
      randomUUID(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
    ];
    await client.query(
      "insert into cx_conversation (id, user_id, is_public) values ($1, $3, false), ($2, $3, true)",
      [shared, shown, owner],
    );
    const store = await openStore(
      { url: test.url },
      { clock: createStillClock(), logger: createListener(), migrates: true },
    );
    const { items } = await store.conversations.list({ userId: colleague }, { limit: 10 });
    expect(items.map(({ id }) => id)).toEqual([shared]);
    await store.close();
  });

  it("lists and finds what the project's table of grants shares, without asking about what others have", async () => {
    await client.query(`
      create table permissions (resource_type text, resource_id uuid, granted_to_user_id uuid, level text);
      create function has_permission(p_type text, p_id uuid, p_level text) returns boolean
        language sql stable security definer as $$
          select exists (select from public.permissions
            where resource_type = p_type and resource_id = p_id and level = p_level
              and coalesce(granted_to_user_id, asker.id) = asker.id)
          from (select (current_setting('request.jwt.claims', true)::jsonb ->> 'sub')::uuid as id) as asker
        $$;
    `);
    await migrate(database);
    const [owner, colleague, shared, group, other] = [
      randomUUID(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
      randomUUID(),
    ];
    await client.query(
      `insert into cx_conversation (id, user_id, title) values
         ($1, $4, 'Harbour plans'), ($2, $4, 'Harbour costs'), ($3, $4, 'Harbour secrets')`,
      [shared, group, other, owner],
    );
    await client.query(
      `insert into permissions values ('cx_conversation', $1, $3, 'viewer'), ('cx_conversation', $2, null, 'viewer'),
         ('cx_conversation', $4, $3, 'editor'), ('note', $4, $3, 'viewer')`,
      [shared, group, colleague, other],
    );
    const store = await openStore(
      { url: test.url },
      { clock: createStillClock(), logger: createListener(), migrates: true },
    );
    const as = { userId: colleague };
    const found = async (search?: string): Promise<ReadonlySet<string>> => {
      const rows = await store.read.conversations({ as, ...(search ? { search } : {}) });
      return new Set(rows.map(({ id }) => id));
    };
    expect(await found()).toEqual(new Set([shared, group]));
    expect(await found("harb")).toEqual(new Set([shared, group]));
    expect(await found("plans")).toEqual(new Set([shared]));
    expect(await found("secrets")).toEqual(new Set());
    await client.query("drop table permissions cascade");
    await client.query(
      "create or replace function has_permission(p_type text, p_id uuid, p_level text) returns boolean language sql as 'select true'",
    );
    // Until the next migrate each one is asked about.
    expect(await found()).toEqual(new Set([shared, group, other]));
    await store.close();
  });

  it("is bound to a has_permission that comes or goes later, by the next migrate", async () => {
    await migrate(database);
    const [owner, stranger, id] = [randomUUID(), randomUUID(), randomUUID()];
    await client.query("insert into cx_conversation (id, user_id) values ($1, $2)", [id, owner]);
    const seen = () => asUser(stranger, "select 1 as one from cx_conversation where id = $1", id);
    await client.query(
      "create function has_permission(text, uuid, text) returns boolean language sql as 'select true'",
    );
    expect(await seen()).toEqual([]);
    expect(await migrate(database)).toEqual([]);
    expect(await seen()).toEqual([{ one: 1 }]);
    await client.query("revoke execute on function has_permission(text, uuid, text) from public");
    expect(await seen()).toEqual([]);
    await client.query("drop function has_permission(text, uuid, text)");
    expect(await seen()).toEqual([]);
    await migrate(database);
    const { rows } = await client.query(
      "select prosrc from pg_proc where proname = 'cx_project_allows'",
    );
    expect(rows).toEqual([{ prosrc: "select false" }]);
  });

  it("is told beforehand of every statement, and holds what the plan said", async () => {
    await client.query(foreignShapes[5]?.script ?? "");
    const before = await catalogue();
    const plan = await planIn(database);
    expect(plan.problems).toEqual([]);
    expect(plan.foreign).toEqual({
      tables: ["public.notes", "public.permissions", "public.shown"],
      functions: ["public.has_permission", "public.may_read", "public.touch"],
    });
    const { rows } = await client.query("select from pg_class where relname like 'cx\\_%'");
    expect(rows).toEqual([]);
    expect(plan.steps.slice(1, -1).map(({ script }) => script)).toEqual(
      own.map(({ script }) => script),
    );
    await client.query(`begin; set local search_path to public;
      ${plan.steps.map(({ script }) => script).join("\n")} commit;`);
    expect(await catalogue()).toEqual(before);
    for (const { version, name, checksum } of own) {
      await client.query("insert into cx_migration (version, name, checksum) values ($1, $2, $3)", [
        version,
        name,
        checksum,
      ]);
    }
    expect(await planIn(database)).toMatchObject({ steps: [], problems: [] });
  });

  it("grants nobody more where the project grants what is new to the roles of its API, as Supabase does", async () => {
    const granted = `
      select format('%s %s: %s may %s', kind, name, grantee::regrole, privilege_type) as line
      from (
        select 'relation' as kind, relname::text as name, relacl as acl from pg_class where relname like 'cx\\_%'
        union all
        select 'function', oid::regprocedure::text, proacl from pg_proc where proname like 'cx\\_%'
      ) as ours, aclexplode(acl)
      where grantee <> 0 and grantee::regrole::text in ('anon', 'authenticated')
      union all
      select format('function %s: everybody may call it', oid::regprocedure) from pg_proc
      where proname like 'cx\\_%' and (proacl is null or exists (select from aclexplode(proacl) where grantee = 0))
      order by line`;
    const lines = async () => (await client.query<{ line: string }>(granted)).rows;
    await migrate(database);
    const alone = await lines();
    expect(alone.length).toBeGreaterThan(20);
    await client.end();
    await test.drop();
    test = await createTestDatabase();
    client = new pg.Client({ connectionString: test.url });
    await client.connect();
    database = databaseOfClient(client);
    await client.query(`
      alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
      alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
      alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
    `);
    await migrate(database);
    const before = alone.map(({ line }) => line);
    expect(
      (await lines()).map(({ line }) => line).filter((line) => !before.includes(line)),
    ).toEqual([]);
  });

  it("is refused where a name that the schema needs is taken", async () => {
    await client.query(
      "create table cx_run (id integer); create function cx_words() returns integer language sql as 'select 1'",
    );
    const before = await catalogue();
    await expect(migrate(database)).rejects.toThrow(
      "The schema public has cx_run, cx_words, which this program did not create. Rename or move what has these names, or use another database.",
    );
    expect(await catalogue()).toEqual(before);
    await client.query("drop table cx_run; drop function cx_words()");
  });

  it("is not migrated by opening a store, unless somebody says so", async () => {
    await client.query("create table orders (id integer)");
    const options = { clock: createStillClock(), logger: createListener() };
    const refusal = await openStore({ url: test.url }, options).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(ForeignDatabaseError);
    expect(String(refusal)).toBe(
      'ForeignDatabaseError: the database contains 1 tables and 0 functions that are not Callboard\'s (public.orders). Callboard would add tables and functions named cx_* beside them and change nothing else. See the statements with "callboard db plan", then run "callboard db migrate"',
    );
    const { rows } = await client.query("select from pg_class where relname like 'cx\\_%'");
    expect(rows).toEqual([]);
    const store = await openStore({ url: test.url }, { ...options, migrates: true });
    await store.close();
    const again = await openStore({ url: test.url }, options);
    await again.close();
  });

  const visibleTables = `
    select relname::text as name, relrowsecurity and relforcerowsecurity as closed
    from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`;

  it("shows no table without row-level security to anybody else, at any step", async () => {
    const watcher = new pg.Client({ connectionString: test.url });
    await watcher.connect();
    const seen: string[] = [];
    const look = async (step: string): Promise<void> => {
      const { rows } = await watcher.query<{ name: string; closed: boolean }>(visibleTables);
      for (const { name, closed } of rows) if (!closed) seen.push(`${step}: ${name}`);
    };
    let steps = 0;
    await migrate({
      transaction: async (work) => {
        const value = await database.transaction((session) =>
          work({
            async runScript(script) {
              await session.runScript(script);
              steps += 1;
              await look(`step ${steps}`);
            },
            query: session.query,
          }),
        );
        await look("committed");
        return value;
      },
    });
    expect(seen).toEqual([]);
    expect(steps).toBeGreaterThan(own.length);
    const { rows } = await watcher.query<{ name: string }>(visibleTables);
    expect(rows.map(({ name }) => name)).toContain("cx_run_event");
    await watcher.end();
  });

  it("is as it was after a migration that failed at any step", async () => {
    await client.query(foreignShapes[5]?.script ?? "");
    const whole = async () =>
      (await client.query("select count(*)::int as n from pg_class")).rows[0]?.n;
    const before = [await catalogue(), await whole()];
    for (let failing = 1; failing <= own.length + 2; failing += 1) {
      let step = 0;
      const attempt = migrate({
        transaction: (work) =>
          database.transaction((session) =>
            work({
              async runScript(script) {
                await session.runScript(script);
                step += 1;
                if (step === failing) throw new Error("the power went out");
              },
              query: session.query,
            }),
          ),
      });
      await expect(attempt).rejects.toThrow("the power went out");
      expect([await catalogue(), await whole()]).toEqual(before);
    }
  });
});

describe("the migrations as text", () => {
  const all = own.map(({ script }) => script).join("\n");
  const made = [...all.matchAll(/^create table (\w+) \([\s\S]*?^\);\n(.*)$/gm)];

  it("close every table by the statement after the one that makes it", () => {
    expect(made.length).toBeGreaterThanOrEqual(9);
    const open = made.filter(
      ([, name, next]) =>
        next !== `select cx_close_table('${name}');` &&
        next !== `alter table ${name} enable row level security;`,
    );
    expect(open.map(([, name]) => name)).toEqual([]);
  });

  it("create nothing that is not named cx_*, but for roles and policies of their own tables", () => {
    const created = [
      ...all.matchAll(
        /\bcreate (?:or replace )?(?:unique )?(table|view|type|function|index|trigger|schema|sequence|domain)\s+(\S+)/g,
      ),
    ].filter(([, , name = ""]) => !name.startsWith("cx_"));
    expect(created.map(([text]) => text)).toEqual([]);
    expect(
      all.match(
        /\b(?:drop|alter) (?!table (?:%s|cx_)|index cx_|function cx_|column |not null|default)\w+/g,
      ),
    ).toBeNull();
  });
});
