// Counts the mechanisms that must exist once, and compares the counts with the table "One of each" in ARCHITECTURE.md.
import './require-node.cjs';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(process.argv[2] ?? path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const productFolders = ['shared', 'services', 'gateway', 'sandbox', 'all-in-one', 'dev-servers', 'clients', 'console', 'tools'];
const productFile = /\/(src|migrations)\/.*\.(tsx?|sql)$/;
const testFile = /\.test\.ts$|\/testing\/|\/node_modules\//;

/** What counts as one more, by the name in the table. A use that is part of the mechanism itself does not count. */
const mechanisms = {
  'commit batcher': { pattern: /(?<!function )\bcreateCommitBatcher[<(]/g },
  'batch that is not a commit': { pattern: /(?<!function )\bcreateBatcher[<(]/g, within: /^shared\/messaging\/src\/batching\// },
  'claim of due rows': { pattern: /\bskip locked\b/g },
  waiter: { pattern: /\bfunction create\w*Waiters?\b/g },
  'back-off in TypeScript': { pattern: /\b2 \*\* \(?[a-z]|\w*Ms \*= 2\b|\w*Ms \* 2\b/gi },
  'back-off in SQL': { pattern: /\bpow(?:er)?\(2\b|\b2 \^ /g },
  lease: { pattern: /\bname: '(?:renew|extend|set)-[a-z-]*lease[a-z-]*'/g },
  'webhook inbox': { pattern: /\btableOf<\w+>\('\w*(?:provider|webhook)_events'\)/g },
  semaphore: { pattern: /\b(?:running|active)\w* (?:<|>=) \w*(?:max|limit)\b/gi },
  'leader election': { pattern: /\bpg_try_advisory_lock\b/g },
  'advisory lock with another hash': { pattern: /\bhashtext\(/g },
};

const files = productFiles();
const { numbers, unknown } = readTable();
const faults = [
  ...unknown.map((name) => `ARCHITECTURE.md names "${name}", which is not counted`),
  ...Object.keys(mechanisms).flatMap(faultsOf),
];
const lines = files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
for (const fault of faults) console.log(fault);
console.log(`${lines} lines in ${files.length} product files`);
process.exitCode = faults.length > 0 ? 1 : 0;

function productFiles() {
  return productFolders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, name)))
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => productFile.test(name) && !testFile.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }));
}

/** The first cell of a row is the name, the last one the number. */
function readTable() {
  const [, section = ''] = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8').split(/^## One of each$/m);
  const [table] = section.split(/^## /m);
  const rows = [...table.matchAll(/^\| ([^|]+) \|.*\| (\d+) \|$/gm)].map(([, name, number]) => [name, Number(number)]);
  return { numbers: new Map(rows), unknown: rows.map(([name]) => name).filter((name) => !(name in mechanisms)) };
}

function faultsOf(name) {
  const places = placesOf(mechanisms[name]);
  const number = numbers.get(name);
  if (number === undefined) return [`ARCHITECTURE.md has no number for "${name}"; there are ${places.length}`];
  if (places.length === number) return [];
  const listed = places.map((place) => `  ${place}`);
  return [[`"${name}": ARCHITECTURE.md says ${number}, there are ${places.length}`, ...listed].join('\n')];
}

function placesOf({ pattern, within }) {
  return files
    .filter(({ name }) => within?.test(name) !== true)
    .flatMap(({ name, text }) => [...text.matchAll(pattern)].map(({ index }) => `${name}:${lineOf(text, index)}`));
}

function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}
