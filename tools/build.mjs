// Transpiles every workspace's src/ to dist/ with esbuild, file by file, so that paths relative to a file (migrations, for one) are the
// same in both, and copies Scalar's browser bundle for the gateway's /docs. It checks no types (`npm run typecheck` does), and does nothing
// when nothing changed. See ADR 0001.
import './require-node.cjs';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build, version } from 'esbuild';
import { listWorkspaces } from './workspaces.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stampFile = path.join(root, 'node_modules', '.cache', 'holdfast-build');

const packages = listWorkspaces(root);
const hasGateway = packages.includes('gateway');
const manifest = path.join(root, 'package.json');
const sources = packages.flatMap((folder) => listSources(path.join(root, folder, 'src')));
const stamp = createHash('sha256')
  .update(process.version)
  .update(readFileSync(manifest)) // pins the version of Scalar
  .update(version)
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(sources.map((file) => `${file}:${statSync(file).mtimeMs}:${statSync(file).size}`).join('\n'))
  .digest('hex');

const isFresh =
  existsSync(stampFile) &&
  readFileSync(stampFile, 'utf8') === stamp &&
  packages.every((folder) => !existsSync(path.join(root, folder, 'src')) || existsSync(path.join(root, folder, 'dist')));
if (!isFresh) await rebuild();

function listSources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

async function rebuild() {
  for (const folder of packages) {
    const src = path.join(root, folder, 'src');
    const entryPoints = sources.filter((file) => file.startsWith(src + path.sep));
    const outdir = path.join(root, folder, 'dist');
    rmSync(outdir, { recursive: true, force: true });
    if (entryPoints.length === 0) continue;
    await build({
      entryPoints,
      outdir,
      outbase: src,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      logLevel: 'error',
    });
  }
  if (hasGateway) copyScalar();
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** Plain and compressed: the bundle has 3.5 MB. See ADR 0071. */
function copyScalar() {
  // The package exports no path to its bundle, so it is found beside the package's main file.
  const main = createRequire(manifest).resolve('@scalar/api-reference');
  const bundle = readFileSync(path.join(path.dirname(main), 'browser', 'standalone.js'));
  const folder = path.join(root, 'gateway', 'dist', 'reference');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'scalar.js'), bundle);
  writeFileSync(path.join(folder, 'scalar.js.gz'), gzipSync(bundle, { level: 9 }));
}
