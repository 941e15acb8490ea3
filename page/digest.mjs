// Writes what the assets were built from: a test compares it with the sources.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = ["index.html", "package.json", "package-lock.json", "public", "src", "tsconfig.json", "vite.config.mjs"];

function files(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => files(join(path, name)));
}

const digest = createHash("sha256");
for (const path of SOURCES.flatMap(files)) {
  digest.update(path.replaceAll("\\", "/") + "\0");
  digest.update(readFileSync(path));
}
writeFileSync("../pitviper/servers/web/assets/sources.sha256", digest.digest("hex") + "\n");
