/**
 * The address of a request. Behind proxies that the operator trusts it is the last one in `X-Forwarded-For` that is not
 * a trusted proxy: the entries before it could be forged.
 */
import { BlockList, isIP, isIPv6 } from "node:net";
import { ServerConfigurationError } from "../configurationError.js";

export type AddressOf = (remoteAddress: string | undefined, headers: Headers) => string;

/** `trusted` are addresses and ranges: `10.0.0.0/8`, `::1`. */
export function createAddressOf(trusted: readonly string[]): AddressOf {
  const proxies = new BlockList();
  for (const entry of trusted) addRange(proxies, entry);
  const isProxy = (address: string): boolean =>
    isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  return (remoteAddress, headers) => {
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
    let address = plain(remoteAddress ?? "");
    while (isProxy(address)) {
      const before = plain(hops.pop() ?? "");
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  };
}

/** Whoever has one IPv6 address has all of its /64: they count as one. */
export function limitKeyOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = address.includes("::") ? [...left, ...zeros, ...right] : left;
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** An IPv4 address as a socket for both families writes it. */
function plain(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
}

function addRange(proxies: BlockList, entry: string): void {
  const [address = "", bits] = entry.split("/");
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  const most = family === "ipv6" ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (isIP(address) === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > most) {
    const message = `CALLBOARD_TRUSTED_PROXIES contains "${entry}", which is not an address or a range. Write 10.0.0.1 or 10.0.0.0/8.`;
    throw new ServerConfigurationError(message);
  }
  proxies.addSubnet(address, prefix, family);
}
