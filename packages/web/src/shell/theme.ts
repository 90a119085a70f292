/** Light or dark: what the person chose, else what their system wants. */
import { useEffect, useState } from "react";
import { browserStorage, keepText, keptText } from "./kept.js";

export type Theme = "light" | "dark" | "system";

const key = "callboard-theme";
const dark = "(prefers-color-scheme: dark)";

function storedTheme(): Theme {
  const stored = keptText(browserStorage, key);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  useEffect(() => {
    const system = window.matchMedia(dark);
    const apply = (): void => {
      const isDark = theme === "dark" || (theme === "system" && system.matches);
      document.documentElement.dataset.theme = isDark ? "dark" : "light";
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [theme]);
  return [
    theme,
    (next) => {
      keepText(browserStorage, key, next);
      setTheme(next);
    },
  ];
}
