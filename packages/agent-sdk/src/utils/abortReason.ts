/** Why a signal was aborted, in words. */
export function reasonOf({ reason }: AbortSignal): string {
  if (typeof reason === "string") return reason;
  return reason instanceof Error && reason.name !== "AbortError" ? reason.message : "cancelled";
}
