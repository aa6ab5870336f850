// The packages that a package needs at run time, found where Node finds them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The named npm packages and all that they need, as folders from the root; `from` is the folder of the file that imports one. */
export function closureOf(root, wanted) {
  const found = new Set();
  for (const each of wanted) visit(root, each, found);
  return found;
}

function visit(root, wanted, found) {
  const folder = find(root, wanted.name, wanted.from);
  if (folder === undefined) {
    if (wanted.isOptional) return;
    throw new Error(`${wanted.name}, which ${wanted.from} needs, is not installed: run "npm ci" first.`);
  }
  if (found.has(folder)) return;
  found.add(folder);
  for (const next of dependenciesOf(root, folder)) visit(root, { ...next, from: folder }, found);
}

/** The nearest node_modules from the user's folder upwards. */
function find(root, name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const place = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(root, place, 'package.json'))) return place;
    if (folder === '' || folder === '.') return undefined;
  }
}

function dependenciesOf(root, folder) {
  const manifest = readManifest(root, folder);
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  // An optional peer is used only by packages that declare it too, such as the driver of a database.
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const needed = [...Object.keys(dependencies).filter((name) => !(name in optionalDependencies)), ...peers];
  return [
    ...needed.map((name) => ({ name, isOptional: false })),
    // The packages of other platforms are not installed.
    ...Object.keys(optionalDependencies).map((name) => ({ name, isOptional: true })),
  ];
}

function readManifest(root, folder) {
  return JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
}
