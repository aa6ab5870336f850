import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { closureOf, readManifest } from './closure.mjs';
import { processes } from './processes.mjs';

/** Types, maps and prose that no process reads at run time. Licences stay. */
const unread = /\.(map|d\.[cm]?ts|tsbuildinfo|md|markdown|flow)$/i;
/** Of our own packages: test code, which the build transpiles too. */
const testCode = /(^|\/)testing(\/|$)/;

/** Writes the tree of one process to an empty folder. Paths are those of the repository, so that whatever finds a file there finds it here. */
export async function writeImage(root, name, folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const { folder: own, program, further = [] } = processes[name];
  const command = own === undefined ? await importsOf(root, [program, ...further]) : { files: [], packages: [] };
  const roots = own === undefined ? command.packages : [readManifest(root, own).name];
  const { packages, links } = closureOf(root, roots);
  for (const each of packages) copyPackage(root, each, folder);
  for (const [link, target] of links) linkPackage(folder, link, target);
  for (const file of command.files) copyFile(root, file, folder);
  for (const file of ['healthcheck.mjs', 'LICENSE']) copyAs(root, { from: sourceOf(file), to: file }, folder);
  // Without it Node takes the files of tools/dist for CommonJS.
  if (command.files.length > 0) writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
}

function sourceOf(file) {
  return file === 'healthcheck.mjs' ? path.join('tools', 'images', file) : file;
}

function copyPackage(root, each, folder) {
  const isOurs = !each.split(path.sep).includes('node_modules');
  if (isOurs) return copyOwnPackage(root, each, folder);
  const from = path.join(root, each);
  const filter = (source) => {
    const relative = path.relative(from, source);
    // What is nested belongs to the closure only where something needs it, and is copied for itself then.
    return relative !== 'node_modules' && !unread.test(relative);
  };
  cpSync(from, path.join(folder, each), { recursive: true, filter });
}

function copyOwnPackage(root, each, folder) {
  if (!existsSync(path.join(root, each, 'dist'))) throw new Error(`${each}/dist is missing: run "npm run build" first.`);
  for (const entry of ['package.json', 'dist', 'migrations']) {
    const from = path.join(root, each, entry);
    if (!existsSync(from)) continue;
    const filter = (source) => !unread.test(source) && !testCode.test(path.relative(from, source));
    cpSync(from, path.join(folder, each, entry), { recursive: true, filter });
  }
}

function linkPackage(folder, link, target) {
  const place = path.join(folder, link);
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(path.relative(path.dirname(link), target), place);
}

function copyFile(root, file, folder) {
  copyAs(root, { from: file, to: file }, folder);
}

function copyAs(root, { from, to }, folder) {
  mkdirSync(path.dirname(path.join(folder, to)), { recursive: true });
  cpSync(path.join(root, from), path.join(folder, to));
}

/** The files that a command of tools/ is made of, and the packages that they import. */
async function importsOf(root, programs) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs,
    bundle: true,
    packages: 'external',
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
