import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { closureOf, readManifest } from './closure.mjs';
import { importsOf } from './imports.mjs';
import { processes } from './processes.mjs';

/** Types, maps and prose that no process reads at run time. Licences stay. */
const unread = /\.(map|d\.[cm]?ts|tsbuildinfo|md|markdown|flow)$/i;
/** The folders of our own packages with test code, which the build transpiles too. */
const testCode = 'testing';
const executable = 0o755;

/** Writes the tree of one process to an empty folder. Paths are those of the repository, so that whatever finds a file there finds it here. */
export async function writeImage(root, name, folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const { commands = {}, ...start } = processes[name];
  const { files, packages: roots, links: ownLinks = [] } = await startOf(root, start);
  const { packages, links } = closureOf(root, roots);
  for (const each of packages) copyPackage(root, each, folder);
  for (const [link, target] of [...links, ...ownLinks]) linkPackage(folder, link, target);
  for (const file of files) copyAs(root, { from: file, to: file }, folder);
  for (const [command, file] of Object.entries(commands)) copyCommand(root, { command, file }, folder);
  copyAs(root, { from: 'LICENSE', to: 'LICENSE' }, folder);
  copyAs(root, { from: path.join('tools', 'images', 'healthcheck.mjs'), to: 'healthcheck.mjs' }, folder);
  // Without it Node takes the files of a command for CommonJS.
  if (files.length > 0) writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
}

/** The package that the process is, or the files that the command is, with the packages that these import. */
async function startOf(root, { folder, program, further = [], ...options }) {
  if (folder === undefined) return importsOf(root, [program, ...further], options);
  return { files: [], packages: [{ name: readManifest(root, folder).name }] };
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

/** Into a folder that the image has in its PATH. */
function copyCommand(root, { command, file }, folder) {
  const to = path.join('bin', command);
  copyAs(root, { from: file, to }, folder);
  chmodSync(path.join(folder, to), executable);
}
