import { withoutUndefined } from "@callboard/run-log/values";
import { describe, expect, it } from "vitest";
import { createAddressOf, limitKeyOf } from "./clientAddress.js";

const from = (trusted: readonly string[], remote: string, forwarded?: string): string =>
  createAddressOf(trusted)(remote, new Headers(withoutUndefined({ "x-forwarded-for": forwarded })));

describe("the address of a request", () => {
  it.each([
    ["nobody is trusted", [], "10.0.0.1", "1.2.3.4", "10.0.0.1"],
    ["the proxy is trusted", ["10.0.0.0/8"], "10.0.0.1", "1.2.3.4", "1.2.3.4"],
    ["the client invents a hop", ["10.0.0.0/8"], "10.0.0.1", "9.9.9.9, 1.2.3.4", "1.2.3.4"],
    ["two proxies", ["10.0.0.0/8"], "10.0.0.1", "1.2.3.4, 10.9.9.9", "1.2.3.4"],
    ["a stranger sends the header", ["10.0.0.0/8"], "5.6.7.8", "1.2.3.4", "5.6.7.8"],
    ["the hop is no address", ["10.0.0.1"], "10.0.0.1", "unknown", "10.0.0.1"],
    ["no header", ["10.0.0.1"], "10.0.0.1", undefined, "10.0.0.1"],
    ["a socket for both families", ["10.0.0.1"], "::ffff:10.0.0.1", "1.2.3.4", "1.2.3.4"],
    ["IPv6", ["fd00::/8"], "fd00::1", "2001:db8::7", "2001:db8::7"],
  ])("%s", (_, trusted, remote, forwarded, expected) => {
    expect(from(trusted, remote, forwarded)).toBe(expected);
  });

  it("refuses a range that is none", () => {
    expect(() => createAddressOf(["10.0.0.0/40"])).toThrow(/CALLBOARD_TRUSTED_PROXIES contains/);
    expect(() => createAddressOf(["proxy"])).toThrow(/not an address or a range/);
  });

  it("counts an IPv6 network as one", () => {
    expect(
      ["2001:db8:1:2:3::4", "2001:db8:1:2::9", "2001:db8::1", "1.2.3.4"].map(limitKeyOf),
    ).toEqual(["2001:db8:1:2::/64", "2001:db8:1:2::/64", "2001:db8:0:0::/64", "1.2.3.4"]);
  });
});
