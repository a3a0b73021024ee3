import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Writes the list of all built files into the service worker, under a name that changes with any of them. */
function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    generateBundle(_, bundle) {
      const hash = createHash("sha256");
      const files = Object.keys(bundle).filter((name) => name !== "index.html");
      for (const name of readdirSync("public")) {
        if (name !== "sw.js") files.push(name);
        hash.update(name).update(readFileSync(`public/${name}`));
      }
      for (const [name, file] of Object.entries(bundle)) hash.update(name).update(file.type === "chunk" ? file.code : file.source);
      const source = readFileSync("public/sw.js", "utf8")
        .replace('"FILES"', JSON.stringify(["./", ...files.sort().map((name) => `./${name}`)]))
        .replace("VERSION", hash.digest("hex").slice(0, 16));
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [svelte(), offline()],
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, chunkSizeWarningLimit: 200 },
  worker: { format: "es" },
  server: { fs: { allow: [".."] } },
});
