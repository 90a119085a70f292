/** The updates that all processes under a home have sent to their clients, for a server's `/metrics`. */
import { metric, prometheusText } from "./prometheusText.js";
import { readStats } from "./statsFolder.js";

/** Prometheus text. Zeroes if there was no connection yet. */
export async function acpMetricsText(home: string): Promise<string> {
  const { stats, running, unreadable } = await readStats(home);
  return [
    prometheusText(stats),
    metric("processes", "gauge", "Processes that speak the protocol now.", [["", running]]),
    metric("unreadable_files", "gauge", "Files of figures that could not be read.", [
      ["", unreadable],
    ]),
  ].join("");
}
