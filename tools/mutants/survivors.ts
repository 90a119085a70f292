/** Why a planted bug that no test notices may stay: by its file and its description. */
export const reasons: Readonly<Record<string, string>> = {
  "packages/web/src/values/visibleText.ts: a direction override in a command is drawn as it is":
    "The same behaviour: every character of Bidi_Control is also one of Default_Ignorable_Code_Point.",
};
