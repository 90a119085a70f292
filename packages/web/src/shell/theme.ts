/** Light or dark: what the person chose, else what their system wants. */
import { useEffect, useState } from "react";

export type Theme = "light" | "dark" | "system";

const key = "callboard-theme";
const dark = "(prefers-color-scheme: dark)";

function storedTheme(): Theme {
  try {
    const stored = window.localStorage.getItem(key);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    // A page that may keep nothing looks as the system wants.
    return "system";
  }
}

function storeTheme(theme: Theme): void {
  try {
    window.localStorage.setItem(key, theme);
  } catch {
    // Then the choice lasts as long as the page.
  }
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
      storeTheme(next);
      setTheme(next);
    },
  ];
}
