import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { closureOf, readManifest } from './closure.mjs';
import { processes } from './processes.mjs';

/** Types, maps and prose that no process reads at run time. Licences stay. */
const unread = /\.(map|d\.[cm]?ts|tsbuildinfo|md|markdown|flow)$/i;
/** The folders of our own packages with test code, which the build transpiles too. */
const testCode = 'testing';

/** Writes the tree of one process to an empty folder. Paths are those of the repository, so that whatever finds a file there finds it here. */
export async function writeImage(root, name, folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const { files, packages: roots } = await startOf(root, processes[name]);
  const { packages, links } = closureOf(root, roots);
  for (const each of packages) copyPackage(root, each, folder);
  for (const [link, target] of links) linkPackage(folder, link, target);
  for (const file of files) copyAs(root, { from: file, to: file }, folder);
  copyAs(root, { from: 'LICENSE', to: 'LICENSE' }, folder);
  copyAs(root, { from: path.join('tools', 'images', 'healthcheck.mjs'), to: 'healthcheck.mjs' }, folder);
  // Without it Node takes the files of a command for CommonJS.
  if (files.length > 0) writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
}

/** The package that the process is, or the files that the command is, with the packages that these import. */
async function startOf(root, { folder, program, further = [] }) {
  if (folder === undefined) return importsOf(root, [program, ...further]);
  return { files: [], packages: [readManifest(root, folder).name] };
}

function copyPackage(root, each, folder) {
  const isOurs = !each.split(path.sep).includes('node_modules');
  if (!isOurs) {
    // What is nested belongs to the closure only where something needs it, and is copied for itself then.
    copyFolder(path.join(root, each), path.join(folder, each), (name) => name !== 'node_modules');
    return;
  }
  if (!existsSync(path.join(root, each, 'dist'))) throw new Error(`${each}/dist is missing: run "npm run build" first.`);
  copyAs(root, { from: path.join(each, 'package.json'), to: path.join(each, 'package.json') }, folder);
  for (const entry of ['dist', 'migrations']) {
    const from = path.join(root, each, entry);
    if (existsSync(from)) copyFolder(from, path.join(folder, each, entry), (name) => name !== testCode);
  }
}

function copyFolder(from, to, isWanted) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if (!isWanted(name)) continue;
    if (entry.isDirectory()) copyFolder(path.join(from, name), path.join(to, name), isWanted);
    else if (entry.isFile() && !unread.test(name)) copyFileSync(path.join(from, name), path.join(to, name));
  }
}

function linkPackage(folder, link, target) {
  const place = path.join(folder, link);
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(path.relative(path.dirname(link), target), place);
}

function copyAs(root, { from, to }, folder) {
  mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
  copyFileSync(path.join(root, from), path.join(folder, to));
}

/** The files that a command of tools/ is made of, and the packages that they import. */
async function importsOf(root, programs) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs,
    bundle: true,
    packages: 'external',
    tsconfigRaw: {}, // ours leads to the sources
    format: 'esm',
    platform: 'node',
    outdir: path.join(root, 'unused'),
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.inputs);
  const names = inputs.flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path: name }) => packageOf(name)),
  );
  return { files: Object.keys(metafile.inputs), packages: [...new Set(names)].filter((name) => !isBuiltin(name)) };
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isBuiltin(name) {
  return name.startsWith('node:') || builtinModules.includes(name);
}
