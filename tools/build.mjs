// Bundles the programs with esbuild: `node tools/build.mjs [folder …]`, where a folder is one of tools/programs.mjs, `dist` by default. With
// `dist` come the pages that its programs serve. It checks no types (`npm run typecheck` does), and builds nothing that is built already.
// See ADR 0099.
import './require-node.cjs';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildPages } from './build-pages.mjs';
import { pages, programs } from './programs.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Besides the sources. npm writes the first one whenever it installs something. */
const furtherInputs = [
  'node_modules/.package-lock.json',
  'tsconfig.json',
  'tools/build.mjs',
  'tools/build-pages.mjs',
  'tools/programs.mjs',
];
/**
 * Loaded from node_modules. The first is native. The second calls a deprecated function, and Node warns about it only outside of
 * node_modules. The third is an option of pg that is not installed.
 */
const external = ['@node-rs/argon2', 'base32.js', 'pg-native'];
const isOwnSource = /^(?!.*\/node_modules\/).*\/src\/.*\.ts$/;
const isFromNpm = /(^|\/)node_modules\//;
const programNamespace = 'program';

/** Builds each folder whose inputs have changed since it was built, or that lacks a file. Says so on stderr, because it takes seconds. */
export async function buildStale(named = []) {
  const folders = named.length === 0 ? ['dist'] : named;
  const wanted = folders.includes('dist') ? [...folders, ...Object.keys(pages)] : folders;
  const stale = wanted.filter((folder) => !isFresh(folder));
  if (stale.length === 0) return;
  console.error('Building the programs …');
  const { stop } = await import('esbuild');
  for (const folder of stale) await (folder in pages ? rebuildPages(folder) : rebuild(folder));
  if (stale.includes('dist')) copyScalar();
  await stop();
}

function isFresh(folder) {
  const file = recordOf(folder);
  if (!existsSync(file)) return false;
  const { stamp, inputs, outputs } = JSON.parse(readFileSync(file, 'utf8'));
  return stamp === stampOf(inputs) && outputs.every((output) => existsSync(path.join(root, output)));
}

/** What the folder was built from, and into what. */
function recordOf(folder) {
  return path.join(root, folder, 'build.json');
}

function stampOf(inputs) {
  const hash = createHash('sha256');
  for (const file of [...furtherInputs, ...inputs]) {
    const found = statSync(path.join(root, file), { throwIfNoEntry: false });
    hash.update(`${file}:${found?.mtimeMs}:${found?.size}\n`);
  }
  return hash.digest('hex');
}

async function rebuild(folder) {
  const { build } = await import('esbuild');
  const begunMs = Date.now();
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(programs[folder].map((source) => [builtNameOf(source), `${programNamespace}:${source}`])),
    outdir: folder,
    plugins: [programPlugin, sourcePathPlugin(folder)],
    bundle: true,
    splitting: true,
    external,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Bundled CommonJS packages call it for the modules of Node.
    banner: {
      js: `import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);`,
    },
    // Less text to load. Names stay: some are part of log lines.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'error',
  });
  removeOthers(folder, Object.keys(metafile.outputs));
  const isProgram = (file) => file.startsWith(`${programNamespace}:`);
  const inputs = Object.keys(metafile.inputs).filter((file) => !isProgram(file) && isOwnSource.test(path.join(root, file)));
  writeFileSync(path.join(root, folder, 'metafile.json'), JSON.stringify(metafile));
  writeRecord(folder, { begunMs, inputs, outputs: Object.keys(metafile.outputs) });
}

async function rebuildPages(folder) {
  const begunMs = Date.now();
  const { inputs, outputs } = await buildPages(root, folder, pages[folder]);
  writeRecord(folder, { begunMs, inputs: inputs.filter((file) => !isFromNpm.test(file)), outputs });
}

function writeRecord(folder, { begunMs, inputs, outputs }) {
  const isChanged = inputs.some((file) => statSync(path.join(root, file)).mtimeMs >= begunMs); // while it was built
  writeFileSync(recordOf(folder), JSON.stringify({ stamp: isChanged ? 'stale' : stampOf(inputs), inputs, outputs }));
}

function builtNameOf(source) {
  const name = path.basename(source, '.ts');
  return name === 'main' ? path.basename(path.dirname(path.dirname(source))) : name;
}

/** A program turns on Node's source maps, which count for files that are loaded afterwards. Stack traces then name the sources. */
const programPlugin = {
  name: 'program',
  setup({ onResolve, onLoad }) {
    const prefix = `${programNamespace}:`;
    onResolve({ filter: new RegExp(`^${prefix}`) }, ({ path: name }) => ({
      path: name.slice(prefix.length),
      namespace: programNamespace,
    }));
    onLoad({ filter: /./, namespace: programNamespace }, ({ path: source }) => ({
      contents: `process.setSourceMapsEnabled(true);\nawait import(${JSON.stringify(`./${source}`)});`,
      resolveDir: root,
    }));
  },
};

/** `new URL('../migrations', import.meta.url)` of a source file names the same folder in the bundle. */
function sourcePathPlugin(folder) {
  return {
    name: 'source-path',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path: file }) => {
        if (!isOwnSource.test(file)) return undefined;
        const text = await readFile(file, 'utf8');
        const fromBundle = JSON.stringify(path.relative(path.join(root, folder), file));
        return { contents: text.replaceAll('import.meta.url', `new URL(${fromBundle}, import.meta.url).href`), loader: 'ts' };
      });
    },
  };
}

function removeOthers(folder, outputs) {
  const wanted = new Set(outputs.map((output) => path.relative(folder, output)));
  for (const name of readdirSync(path.join(root, folder)))
    if (!wanted.has(name)) rmSync(path.join(root, folder, name), { recursive: true });
}

/** Scalar's browser bundle for the gateway's /docs, plain and compressed: it has 3.5 MB. See ADR 0071. */
function copyScalar() {
  const require = createRequire(path.join(root, 'package.json'));
  // The package exports no path to its bundle, so it is found beside the package's main file.
  const file = path.join(path.dirname(require.resolve('@scalar/api-reference')), 'browser', 'standalone.js');
  const folder = path.join(root, 'gateway', 'dist', 'reference');
  const copy = path.join(folder, 'scalar.js');
  const bundle = readFileSync(file);
  if (existsSync(`${copy}.gz`) && readFileSync(copy).equals(bundle)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(copy, bundle);
  writeFileSync(`${copy}.gz`, gzipSync(bundle, { level: 9 }));
}

if (realpathSync(process.argv[1] ?? root) === fileURLToPath(import.meta.url)) await buildStale(process.argv.slice(2));
