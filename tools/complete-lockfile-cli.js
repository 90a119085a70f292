/**
 * Completes package-lock.json with the optional packages of other platforms. A registry that offers
 * only this platform's makes npm leave them out, and `npm ci` then refuses the lockfile everywhere.
 * It also drops the engines of packages that only tests use and that run on an older Node than they name:
 * `npm ci` would warn of each. Run by `npm run lock`.
 */
import { readFileSync, writeFileSync } from "node:fs";

const platforms = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "aix",
  "win32",
];
const processors = [
  "arm64",
  "x64",
  "ia32",
  "arm",
  "ppc64",
  "riscv64",
  "s390x",
  "loong64",
  "mips64el",
  "wasm32",
];

/** The client acpx and what it brings. `packages/acp/src/acpx.e2e.test.ts` runs it on every Node that is supported. */
const runOnOlderNode = new Set([
  "acpx",
  "acpx/node_modules/commander",
  "@openclaw/fs-safe",
  "commander",
]);

/** What a package that is made for one platform says of it in its name: `…-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split(/[-/.]/);
  const os = platforms.find((platform) => words.includes(platform));
  const cpu = processors.find((processor) => words.includes(processor));
  const libc = words.includes("musl") ? "musl" : words.includes("gnu") ? "glibc" : undefined;
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === undefined ? {} : { os: [os] }),
    ...(os === "linux" && libc !== undefined ? { libc: [libc] } : {}),
  };
}

function completed(lock) {
  const packages = { ...lock.packages };
  for (const entry of Object.values(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      const platform = platformOf(name);
      if (packages[path] !== undefined || Object.keys(platform).length === 0) continue;
      const version = range.replace(/^[\^~]/, "");
      packages[path] = {
        version,
        ...platform,
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
      };
    }
  }
  for (const [path, entry] of Object.entries(packages)) {
    if (!entry.dev || !runOnOlderNode.has(path.replace(/^node_modules\//, ""))) continue;
    const { engines: _, ...kept } = entry;
    packages[path] = kept;
  }
  const sorted = Object.fromEntries(
    Object.entries(packages).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  return { ...lock, packages: sorted };
}

for (const file of process.argv.slice(2)) {
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const whole = completed(lock);
  const added = Object.keys(whole.packages).length - Object.keys(lock.packages).length;
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
  process.stdout.write(`${file}: ${added} optional packages of other platforms added\n`);
}
