import type { Mutant } from "./mutant.js";

const fences = ["packages/store/src/writing/fences.int.test.ts"] as const;
const existing = ["packages/store/src/migrations/existingProjects.int.test.ts"] as const;
const sharing = ["packages/store/src/sharing.int.test.ts"] as const;
const search = ["packages/store/src/reading/search.int.test.ts"] as const;
const purge = ["packages/store/src/administration/purge.int.test.ts"] as const;
const catalogue = ["packages/store/src/catalogue.int.test.ts"] as const;
const cost = ["packages/store/src/rightsCost.int.test.ts"] as const;
const events = "packages/store/src/writing/eventStatements.ts";
const security = "packages/store/migrations/0005_row_level_security.sql";
const sharingSql = "packages/store/migrations/0006_sharing.sql";
const searchSql = "packages/store/migrations/0009_search.sql";

export const store: readonly Mutant[] = [
  {
    bug: "an append of an epoch that is over is written",
    file: events,
    find: "and run.owner = $6 and run.epoch = batch.epoch",
    replace: "and run.owner = $6",
    tests: fences,
  },
  {
    bug: "an append of another owner is written",
    file: events,
    find: "and run.owner = $6 and run.epoch",
    replace: "and (run.owner = $6 or true) and run.epoch",
    tests: fences,
  },
  {
    bug: "an append that follows another position is written",
    file: events,
    find: "and run.last_seq = batch.expected_seq and run.status",
    replace: "and run.status",
    tests: fences,
  },
  {
    bug: "as many events of another owner are taken for this node's own",
    file: "packages/store/src/writing/groupCommit.ts",
    find: "head?.epoch === batch.epoch && head.last_seq",
    replace: "head?.last_seq",
    tests: fences,
  },
  {
    bug: "a node whose clock is behind closes a run in its past",
    file: "packages/store/src/leases/takeover.ts",
    find: "const at = past.at(-1)?.at ?? options.now();",
    replace: "const at = options.now();",
    tests: fences,
  },
  {
    bug: "a run that stores events does not count their bytes",
    file: events,
    find: "stored_bytes = run.stored_bytes + batch.bytes",
    replace: "stored_bytes = run.stored_bytes",
    tests: purge,
  },
  {
    bug: "anybody revokes anybody's grant",
    file: sharingSql,
    find: "    if public.cx_user_id() is distinct from p_user_id then\n      perform public.cx_require_sharing(p_conversation_id);\n    end if;\n",
    replace: "",
    tests: sharing,
  },
  {
    bug: "whoever sees a conversation publishes it",
    file: sharingSql,
    find: "    perform public.cx_require_sharing(p_conversation_id);\n    update",
    replace: "    update",
    tests: sharing,
  },
  {
    bug: "a viewer hides messages",
    file: sharingSql,
    find: "conversation.id, 'editor')\n      );",
    replace: "conversation.id, 'viewer')\n      );",
    tests: sharing,
  },
  {
    bug: "the service may update events",
    file: "packages/store/migrations/0003_run_log.sql",
    find: "revoke update on cx_run_event from service_role;\n",
    replace: "",
    tests: sharing,
  },
  {
    bug: "a table is closed but not to its owner",
    file: "packages/store/migrations/0001_roles.sql",
    find: "    execute format('alter table %s force row level security', p_table);\n",
    replace: "",
    tests: catalogue,
  },
  {
    bug: "a table stays open",
    file: "packages/store/migrations/0002_conversations.sql",
    find: "select cx_close_table('cx_message');\n",
    replace: "",
    tests: catalogue,
  },
  {
    bug: "a hidden conversation is readable by SQL",
    file: security,
    find: "    deleted_at is null and (\n      user_id = (select cx_user_id())\n      or is_public",
    replace: "    (\n      user_id = (select cx_user_id())\n      or is_public",
    tests: sharing,
  },
  {
    bug: "the calls of a hidden conversation stay in the sight of whoever made them",
    file: security,
    find: "array['cx_message', 'cx_user_request', 'cx_tool_call'] loop\n      execute",
    replace: "array['cx_message', 'cx_user_request'] loop\n      execute",
    tests: sharing,
  },
  {
    bug: "one's own calls vanish with a share",
    file: security,
    find: "create policy visible on cx_tool_call for select to anon, authenticated\n  using (deleted_at is null and (\n    user_id = (select cx_user_id())\n    or exists",
    replace:
      "create policy visible on cx_tool_call for select to anon, authenticated\n  using (deleted_at is null and (\n    exists",
    tests: sharing,
  },
  {
    bug: "a read of messages costs with all conversations that their reader may see",
    file: security,
    find: "using (deleted_at is null and exists (\n    select from cx_conversation as conversation where conversation.id = cx_message.conversation_id\n  ));",
    replace: "using (deleted_at is null and conversation_id in (select id from cx_conversation));",
    tests: cost,
  },
  {
    bug: "a read of events costs with all runs that their reader may see",
    file: security,
    find: "using (exists (select from cx_run as run where run.id = cx_run_event.run_id));",
    replace: "using (run_id in (select id from cx_run));",
    tests: cost,
  },
  {
    bug: "a full disk is not told to whoever asks whether the store is ready",
    file: "packages/store/src/writing/groupCommit.ts",
    find: "full = { error: refusal, until: clock.now() + fullMs };",
    replace: "",
    tests: ["packages/store/src/writing/groupCommit.int.test.ts"],
  },
  {
    bug: "an expired grant still counts",
    file: security,
    find: "      and permission.permission_level >= p_level\n      and (permission.expires_at is null or permission.expires_at > now())\n  $$;",
    replace: "      and permission.permission_level >= p_level\n  $$;",
    tests: sharing,
  },
  {
    bug: "an editor is granted where a viewer was",
    file: security,
    find: "        and permission.permission_level >= p_level\n        and (permission",
    replace: "        and (permission",
    tests: sharing,
  },
  {
    bug: "the project's has_permission is not asked",
    file: security,
    find: "      or id = any ((select cx_granted_conversations('viewer'))::uuid[])\n      or cx_project_allows(id, 'viewer')\n",
    replace: "      or id = any ((select cx_granted_conversations('viewer'))::uuid[])\n",
    tests: existing,
  },
  {
    bug: "a function that the caller may not execute is called",
    file: "packages/store/src/migrations/projectPermission.ts",
    find: ") is not true then\n    return false;",
    replace: ") is null then\n    return false;",
    tests: existing,
  },
  {
    bug: "a function of another meaning is taken for the project's has_permission",
    file: "packages/store/src/migrations/projectPermission.ts",
    find: "        and proc.pronargs >= 3\n",
    replace: "",
    tests: existing,
  },
  {
    bug: "a binding that is out of date is not renewed",
    file: "packages/store/src/migrations/migrate.ts",
    find: "if (pending.length === 0 && isBound) return [];",
    replace: "if (pending.length === 0) return [];",
    tests: existing,
  },
  {
    bug: "names that somebody else has are not noticed",
    file: "packages/store/src/migrations/migrationStatus.ts",
    find: "if (taken.length > 0) problems.push(takenNamesProblem(taken));",
    replace: "",
    tests: existing,
  },
  {
    bug: "a database that holds other things is migrated unasked",
    file: "packages/store/src/openDatabase.ts",
    find: "if (!isAlone(foreign)) throw new ForeignDatabaseError(foreign);",
    replace: "",
    tests: existing,
  },
  {
    bug: "the older tables' has_permission is moved aside",
    file: "packages/store/migrations/legacy/set_aside.sql",
    find: "-- What has been copied,",
    replace:
      "alter function public.has_permission(text, uuid, permission_level) set schema cx_legacy;\n\n-- What has been copied,",
    tests: ["packages/store/src/migrations/legacy/adoptLegacy.int.test.ts"],
  },
  {
    bug: "strangers' public conversations are in everybody's list",
    file: "packages/store/src/reading/conversations.ts",
    find: 'if (as !== "service") {',
    replace: "if (as === undefined) {",
    tests: search,
  },
  {
    bug: "what is shared is not found",
    file: searchSql,
    find: "where granted.id = any (public.cx_granted_conversations('viewer'))",
    replace: "where false",
    tests: search,
  },
  {
    bug: "an old title is still found",
    file: searchSql,
    find: "on conflict (source_id) do update set words = excluded.words",
    replace: "on conflict (source_id) do nothing",
    tests: search,
  },
  {
    bug: "the names of arguments are searched",
    file: searchSql,
    find: "select string_agg(value #>> '{}', ' ') from jsonb_path_query(call.arguments, 'strict $.**') as value\n          where jsonb_typeof(value) in ('string', 'number')",
    replace: "select call.arguments::text",
    tests: search,
  },
  {
    bug: "errors are not searched",
    file: searchSql,
    find: "        call.error_message,\n",
    replace: "",
    tests: search,
  },
  {
    bug: "what runs is deleted by retention",
    file: "packages/store/src/administration/purge.ts",
    find: "open.status = 'open'",
    replace: "open.status = 'never'",
    tests: purge,
  },
  {
    bug: "a dry run deletes",
    file: "packages/store/src/administration/purge.ts",
    find: "if (options.isDryRun || condemned.conversations === 0) return condemned;",
    replace: "if (condemned.conversations === 0) return condemned;",
    tests: purge,
  },
  {
    bug: "retention by size deletes one conversation too few",
    file: "packages/store/src/administration/purge.ts",
    find: "(conversation.updated_at, conversation.id) <= (",
    replace: "(conversation.updated_at, conversation.id) < (",
    tests: purge,
  },
  {
    bug: "U+0000 in a title is an error of the database",
    file: "packages/store/src/conversations/conversationStore.ts",
    find: "return text === null ? null : storedText(text);",
    replace: "return text;",
    tests: search,
  },
  {
    bug: "U+0000 in a search is an error of the database",
    file: "packages/store/src/reading/conversations.ts",
    find: "const words = storedText(search);",
    replace: "const words = search;",
    tests: search,
  },
  {
    bug: "a call of a dead node runs until it is taken over",
    file: "packages/store/src/leases/takeover.ts",
    find: "const at = past.at(-1)?.at ?? options.now();",
    replace: "const at = options.now();",
    tests: ["packages/store/src/leases/leases.int.test.ts"],
  },
];
