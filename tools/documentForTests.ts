/**
 * A document without layout (`happy-dom`) for tests of components: made once for a worker, since making one takes
 * longer than most of these tests. Each test removes what it drew.
 */
import { builtinEnvironments } from "vitest/environments";

if (!("document" in globalThis)) await builtinEnvironments["happy-dom"].setup(globalThis, {});

// React then reports changes that no test waited for.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
