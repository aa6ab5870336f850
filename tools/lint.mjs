// Lints the packages for which something has changed since they last passed; `npx eslint .` lints everything.
// Rules with types depend on more than the file they check. So a result is reused only while nothing of this has changed: the package's own
import './require-node.cjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listWorkspaces } from './workspaces.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const passedFile = path.join(root, 'node_modules', '.cache', 'holdfast-lint.json');
const isLinted = /\.(tsx?|js|mjs|cjs)$/;
const isManifest = /\/package\.json$/;
const isTest = /\.test\.ts$/;
const isAmbient = /^\s*declare (global|module)\b/m;
const notOurs = /(^|\/)(node_modules|dist|coverage)\//;

const packages = listWorkspaces(root).map(readPackage);
const everybodySees = hashOf([
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'eslint.config.mjs',
  'tools/lint.mjs',
  ...listFiles('tools/lint'),
  ...packages.flatMap(({ files }) => files).filter((file) => isAmbient.test(readFileSync(path.join(root, file), 'utf8'))),
]);
const rootFiles = readdirSync(root).filter((file) => isLinted.test(file));
const keys = Object.fromEntries([
  ['.', keyOf(rootFiles)],
  ...packages.map((one) => [one.folder, keyOf([...one.files, ...dependenciesOf(one).flatMap(({ sources }) => sources)])]),
]);

const passed = existsSync(passedFile) ? JSON.parse(readFileSync(passedFile, 'utf8')) : {};
const changed = Object.keys(keys).filter((folder) => passed[folder] !== keys[folder]);
if (changed.length > 0) lint(changed);

function lint(folders) {
  const eslint = path.join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
  const targets = folders.flatMap((folder) => (folder === '.' ? rootFiles : [folder]));
  const { status } = spawnSync(process.execPath, [eslint, ...targets], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(path.dirname(passedFile), { recursive: true });
  writeFileSync(passedFile, JSON.stringify(keys));
}

function readPackage(folder) {
  const { name, dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const files = listFiles(folder).filter((file) => isLinted.test(file) || isManifest.test(file));
  const sources = files.filter((file) => !isTest.test(file)); // tests are never imported
  return { folder, name, files, sources, uses: Object.keys({ ...dependencies, ...devDependencies }) };
}

/** Including transitive dependencies, because types may come from any of them. The dependency rules refuse undeclared imports. */
function dependenciesOf(one, found = new Set()) {
  for (const other of packages) {
    if (!one.uses.includes(other.name) || found.has(other)) continue;
    found.add(other);
    dependenciesOf(other, found);
  }
  return [...found];
}

function listFiles(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !notOurs.test(file));
}

function keyOf(files) {
  return createHash('sha256').update(process.version).update(everybodySees).update(hashOf(files)).digest('hex');
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) hash.update(`${file}\n`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}
