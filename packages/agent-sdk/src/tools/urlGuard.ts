/**
 * Which URLs may be requested at all, before any name is resolved: scheme, credentials, port, host. A host that is an
 * address in any spelling is judged here; a name is judged by its addresses, when the connection is made.
 */
import { isIP } from "node:net";
import { oneLine } from "../utils/oneLine.js";
import { ToolFailure } from "../utils/toolFailure.js";

export interface GuardedUrl {
  readonly url: URL;
  /** Without brackets and without a trailing dot. */
  readonly host: string;
}

/** Ports of public hosts where something else than a website listens. */
const closedPorts: ReadonlySet<number> = new Set([
  1080, 1194, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2082, 2181, 2222, 2375, 2376, 2379,
  2380, 3128, 3268, 3269, 3306, 3389, 3659, 4045, 4190, 4369, 5060, 5061, 5222, 5432, 5555, 5601,
  5671, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6001, 6379, 6443, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 7000, 7001, 7199, 8086, 8500, 8600, 9042, 9092, 9100, 9200, 9300, 9418, 10080,
  10250, 10255, 11211, 15672, 25565, 26379, 27017, 27018, 27019, 50000, 50070, 61616,
]);

const closedNames = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa|onion)$/;

export function guardedUrl(
  text: string,
  isAllowedAddress: (address: string) => boolean,
): GuardedUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw refusedUrl(text, "it is not a valid absolute URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refusedUrl(text, "only http and https are fetched");
  }
  if (url.username !== "" || url.password !== "") {
    throw refusedUrl(url.host, "URLs with credentials are not fetched");
  }
  // The parser has already turned decimal, octal, hexadecimal and full-width addresses into plain ones.
  const host = url.hostname
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.+$/, "")
    .toLowerCase();
  if (host === "") throw refusedUrl(text, "it names no host");
  const isAddress = isIP(host) !== 0;
  if (isAddress ? !isAllowedAddress(host) : closedNames.test(host)) {
    throw refusedUrl(text, "it leads to a private, local or reserved address");
  }
  const port = url.port === "" ? undefined : Number(url.port);
  if (port !== undefined && !isOpenPort(port))
    throw refusedUrl(text, `port ${port} is not fetched`);
  return { url, host };
}

function isOpenPort(port: number): boolean {
  return port === 80 || port === 443 || (port > 1024 && !closedPorts.has(port));
}

export function refusedUrl(what: string, reason: string): ToolFailure {
  return new ToolFailure("url_refused", `${oneLine(what, 200)} was not fetched: ${reason}.`, {
    suggestion: "Only public websites can be fetched.",
  });
}
