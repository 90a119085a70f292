/** Events that the store writes in a second beside plain inserts of the same bytes, in batches of the same size. */
import { openServer } from "../store/places.js";
import { writtenOn } from "../store/writing.js";

const events = 8_000;

/** @returns {Promise<import("./part.js").Bar>} */
export async function storedPerSecond() {
  const place = await openServer();
  try {
    const written = await writtenOn(place, events);
    const of = (/** @type {string} */ name) => written.find((one) => one.name === name);
    const store = of("store, one run, 50 events a batch");
    const inserts = of("plain inserts, 50 events a commit");
    if (!store || !inserts) throw new Error("the store's bench has no such ways of writing");
    const share = store.perSecond / inserts.perSecond;
    const cpu = `${store.cpu.toFixed(0)} µs of CPU beside ${inserts.cpu.toFixed(0)} µs`;
    return {
      bar: "events stored per second ≥ 50 % of plain inserts of the same bytes",
      isMet: share >= 0.5,
      measured: `${(share * 100).toFixed(0)} %; ${cpu} for an event`,
    };
  } finally {
    await place.remove();
  }
}
