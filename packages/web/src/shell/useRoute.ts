/** The page's address as state: going somewhere is one call, and the browser's buttons work. */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { pathOf, type Route, routeOf } from "./route.js";

/** `replace` if the back button must not lead to the previous address. */
export type Go = (route: Route, how?: "push" | "replace") => void;

const changed = new EventTarget();

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  changed.addEventListener("change", listener);
  return () => {
    window.removeEventListener("popstate", listener);
    changed.removeEventListener("change", listener);
  };
}

export function useRoute(): readonly [Route, Go] {
  const path = useSyncExternalStore(subscribe, () => window.location.pathname);
  const go = useCallback<Go>((route, how = "push") => {
    const next = pathOf(route);
    if (next === window.location.pathname) return;
    if (how === "push") window.history.pushState(null, "", next);
    else window.history.replaceState(null, "", next);
    changed.dispatchEvent(new Event("change"));
  }, []);
  const route = useMemo(() => routeOf(path), [path]);
  return [route, go];
}
