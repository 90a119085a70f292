/** Why a planted bug that no test notices may stay: by its file and its description. */
export const reasons: Readonly<Record<string, string>> = {
  "packages/store/src/migrations/projectPermission.ts: a function of another meaning is taken for the project's has_permission":
    "The same behaviour: a function with fewer than three parameters has no third type, and the conditions on the types are not true of null.",
};
