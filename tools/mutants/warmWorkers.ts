/**
 * Workers of Vitest that outlive a run. A planted bug changes one module, so only that module, what imports it and the
 * test files are read again; everything else that a worker has imported stays. Never used for tests that start programs
 * or databases.
 */
import {
  ForksPoolWorker,
  type PoolOptions,
  type PoolWorker,
  type TestProject,
  type Vitest,
} from "vitest/node";

export interface WarmWorkers {
  /** These files changed: the next run reads them again, and whatever imports them. */
  forget(files: readonly string[]): void;
  /** Ends the workers. The next run starts with new ones. */
  end(): Promise<void>;
}

const name = "warm";
type Listener = Parameters<PoolWorker["on"]>[1];

/** Gives each project of these names one worker that outlives a run. */
export function useWarmWorkers(vitest: Vitest, projectNames: readonly string[]): WarmWorkers {
  const kept = new Map<TestProject, ForksPoolWorker>();
  const projects = vitest.projects.filter((project) => projectNames.includes(project.name));
  /** What changed since the worker of a project last ran. */
  const changed = new Map(projects.map((project) => [project, new Set<string>()]));

  function createPoolWorker(options: PoolOptions): PoolWorker {
    const { project } = options;
    const before = kept.get(project);
    const inner = before ?? new ForksPoolWorker(options);
    const listeners: { readonly event: string; readonly listener: Listener }[] = [];
    let hasExited = false;

    function respond(type: "started" | "stopped"): void {
      const response = { type, __vitest_worker_response__: true };
      setImmediate(() => {
        for (const { event, listener } of listeners) if (event === "message") listener(response);
      });
    }

    return {
      name,
      cacheFs: true,
      on(event, listener) {
        listeners.push({ event, listener });
        inner.on(event, listener);
      },
      off: (event, listener) => inner.off(event, listener),
      send(message) {
        if (message.type === "start" && before !== undefined) respond("started");
        else if (message.type === "stop") respond("stopped");
        else if (message.type === "run") {
          const invalidates = [...(changed.get(project) ?? [])];
          changed.get(project)?.clear();
          inner.send({ ...message, context: { ...message.context, invalidates } });
        } else inner.send(message);
      },
      deserialize: (data) => data,
      async start() {
        if (before !== undefined) return;
        await inner.start();
        inner.on("exit", () => {
          hasExited = true;
          kept.delete(project);
        });
      },
      async stop() {
        for (const { event, listener } of listeners) inner.off(event, listener);
        if (!hasExited) kept.set(project, inner);
      },
    };
  }

  for (const { config } of projects)
    Object.assign(config, { pool: name, poolRunner: { name, createPoolWorker }, maxWorkers: 1 });

  return {
    forget(files) {
      const paths = files.flatMap((file) => [...importersOf(vitest, file)]);
      for (const known of changed.values()) for (const path of paths) known.add(path);
    },
    async end() {
      const ended = [...kept.values()];
      kept.clear();
      await Promise.all(ended.map((worker) => worker.stop()));
    },
  };
}

/** The file and every module that imports it, directly or not. */
function importersOf(vitest: Vitest, file: string): ReadonlySet<string> {
  const paths = new Set([file]);
  for (const { vite } of vitest.projects) {
    for (const { moduleGraph } of Object.values(vite.environments)) {
      const left = [...(moduleGraph.getModulesByFile(file) ?? [])];
      const seen = new Set(left);
      for (let module = left.pop(); module !== undefined; module = left.pop()) {
        if (module.file !== null) paths.add(module.file);
        for (const importer of module.importers) {
          if (seen.has(importer)) continue;
          seen.add(importer);
          left.push(importer);
        }
      }
    }
  }
  return paths;
}
