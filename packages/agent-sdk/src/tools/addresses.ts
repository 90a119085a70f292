/**
 * Which IP addresses are the public internet. Of IPv6 only global unicast counts, so every form that contains an IPv4
 * address (mapped, compatible, NAT64, 6to4, Teredo) is refused as a whole. An unreadable address is not public. Pure: it
 * never resolves a name.
 */
import { isIPv4, isIPv6 } from "node:net";

/** First address and length of the prefix, from the registries of special-purpose addresses. */
const closedIPv4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Azure answers its guests here.
  ["168.63.129.16", 32],
];

const openIPv6: readonly [string, number] = ["2000::", 3];
const closedIPv6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) {
    const bits = bitsOfIPv4(address);
    return !closedIPv4.some(([start, length]) => hasPrefix(bits, bitsOfIPv4(start), length));
  }
  // A scoped address (`fe80::1%eth0`) means a link of this machine.
  if (!isIPv6(address) || address.includes("%")) return false;
  const bits = bitsOfIPv6(address);
  const [open, openLength] = openIPv6;
  return (
    hasPrefix(bits, bitsOfIPv6(open), openLength) &&
    !closedIPv6.some(([start, length]) => hasPrefix(bits, bitsOfIPv6(start), length))
  );
}

function hasPrefix(bits: string, start: string, length: number): boolean {
  return bits.slice(0, length) === start.slice(0, length);
}

function bitsOfIPv4(address: string): string {
  return address
    .split(".")
    .map((part) => bitsOf(Number(part), 8))
    .join("");
}

/** The address must be valid. */
function bitsOfIPv6(address: string): string {
  const [left = "", right] = address.split("::");
  const head = groupsOf(left);
  const tail = groupsOf(right ?? "");
  const zeros = "0".repeat(128 - head.length - tail.length);
  return head + zeros + tail;
}

function groupsOf(text: string): string {
  const groups = text.split(":").filter((group) => group !== "");
  return groups
    .map((group) =>
      group.includes(".") ? bitsOfIPv4(group) : bitsOf(Number.parseInt(group, 16), 16),
    )
    .join("");
}

function bitsOf(value: number, width: number): string {
  return value.toString(2).padStart(width, "0");
}
