/**
 * A real PostgreSQL server in a folder of its own, on the loopback address, with a random password. It may be stopped in
 * every way and started again on its data. Commits survive the end of the server but not of the machine: nothing is
 * flushed to the disk unless requested.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { installBinaries, type PostgresBinaries } from "./binaries.js";
import { leaveOwner, sweepOrphans } from "./orphans.js";
import { type ServerUser, serverUser } from "./serverUser.js";

/** PostgreSQL's own words: wait for clients, hang up on them, or die on the spot. */
export type StopMode = "smart" | "fast" | "immediate";

export interface PostgresServer {
  /** Of the database `postgres`, as a superuser. It stays the same over stops and starts. */
  readonly url: string;
  stop(mode: StopMode): Promise<void>;
  start(): Promise<void>;
  /** Stops it and deletes its folder. */
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** Flushes each commit to the disk, as a server in use does. Default false. */
  readonly isDurable?: boolean;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  await sweepOrphans();
  const folder = await mkdtemp(join(tmpdir(), "callboard-postgres-"));
  try {
    return await startIn(folder, options);
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function startIn(
  folder: string,
  { isDurable = false }: PostgresOptions,
): Promise<PostgresServer> {
  await leaveOwner(folder);
  const user = serverUser();
  const binaries = await installBinaries(folder);
  const password = randomBytes(16).toString("hex");
  await initialise(folder, binaries, user, password);
  const port = await freePort();
  const run = () => startServer(folder, binaries, user, port, isDurable);
  let server = await run();
  const killServer = () => server.kill("SIGQUIT");
  process.once("exit", killServer);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: (mode) => stopServer(server, mode),
    start: async () => {
      server = await run();
    },
    remove: async () => {
      process.off("exit", killServer);
      await stopServer(server, "immediate");
      await removeFolder(folder);
    },
  };
}

async function initialise(
  folder: string,
  { initdb }: PostgresBinaries,
  user: ServerUser | undefined,
  password: string,
): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) {
    await chmod(folder, 0o755);
    await chown(folder, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  const child = spawn(
    initdb,
    [
      `--pgdata=${join(folder, "data")}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--auth=password",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
    ],
    { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  const complaint: Buffer[] = [];
  child.stderr?.on("data", (chunk: Buffer) => complaint.push(chunk));
  const [code] = await once(child, "close");
  if (code !== 0) {
    throw new Error(`initdb failed (${code}): ${Buffer.concat(complaint).toString()}`);
  }
}

async function startServer(
  folder: string,
  { postgres }: PostgresBinaries,
  user: ServerUser | undefined,
  port: number,
  isDurable: boolean,
): Promise<ChildProcess> {
  const flushing = isDurable ? "on" : "off";
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "32MB",
    fsync: flushing,
    full_page_writes: flushing,
    lc_messages: "C",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(postgres, ["-D", join(folder, "data"), "-p", String(port), ...flags], {
    ...user,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await untilReady(child);
  return child;
}

async function untilReady(child: ChildProcess): Promise<void> {
  const { stderr } = child;
  if (!stderr) throw new Error("the server's words are not piped");
  const heard: string[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: stderr }).on("line", (line) => {
      if (heard.length < 200) heard.push(line);
      if (line.includes("database system is ready to accept connections")) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      reject(
        new Error(`PostgreSQL did not start (${code ?? signal}):\n${heard.slice(-20).join("\n")}`),
      );
    });
  });
}

const signals = { smart: "SIGTERM", fast: "SIGINT", immediate: "SIGQUIT" } as const;

async function stopServer(child: ChildProcess, mode: StopMode): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signals[mode]);
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
