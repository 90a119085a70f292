/** Why a planted bug that no test notices may stay: by its file and its description. */
export const reasons: Readonly<Record<string, string>> = {
  "packages/run-log/src/log/decide.ts: changed literal `0`":
    "The same behaviour: the time decides there whether the short way is taken, and the long way accepts and refuses the same.",
  "packages/store/src/migrations/projectPermission.ts: a function of another meaning is taken for the project's has_permission":
    "The same behaviour: a function with fewer than three parameters has no third type, and the conditions on the types are not true of null.",
};
