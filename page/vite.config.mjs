import { defineConfig } from "vite";

// Names without digests: the server hands out exactly these files, and the report takes them in.
export default defineConfig({
  base: "/assets/",
  build: {
    outDir: "../pitviper/servers/web/assets",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        entryFileNames: "page.js",
        assetFileNames: "page[extname]",
        codeSplitting: false,
      },
    },
  },
});
