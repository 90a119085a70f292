/** Why a planted bug that no test notices may stay: by its file and its description. */
export const reasons: Readonly<Record<string, string>> = {};
