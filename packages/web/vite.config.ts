/** How the page is built: one entry, hashed assets, no inline script, so that a strict CSP holds. */
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react(), tailwind()],
  resolve: { conditions: ["callboard-source", "module", "browser", "production"] },
  build: {
    outDir: "dist",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: "es2023",
  },
});
