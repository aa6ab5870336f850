// Reads the documents, the generated reference and the sources like an editor: finds long sentences and turns of phrase that a reader
// stumbles over. The reference holds the texts of routes, errors, settings and metrics; correct them in the code.
import './require-node.cjs';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { textsOfJson, textsOfMarkdown } from './prose/documents.mjs';
import { faultsOf } from './prose/sentences.mjs';
import { textsOfSource, textsOfSql } from './prose/source.mjs';

const root = path.resolve(process.argv[2] ?? path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const skippedFolders = new Set(['node_modules', 'dist', 'coverage', '.git', '.holdfast']);

/** How each kind of file is read; the first that fits. */
const readers = [
  { pages: /\.md$/, read: (_, text) => textsOfMarkdown(text) },
  { pages: /^docs\/generated\/openapi\.json$/, read: (_, text) => textsOfJson(text) },
  { pages: /\.sql$/, read: (_, text) => textsOfSql(text) },
  { pages: /\.(?:ts|tsx|mjs|cjs|js)$/, read: textsOfSource },
];

/** Files that stay as they are, with the reason. */
const leftOut = [
  { pages: /^docs\/adr\//, reason: 'a decision is never edited after it was made' },
  { pages: /\/migrations\/.*\.sql$/, reason: 'a merged migration is never edited' },
  { pages: /\/src\/generated\/|^docs\/benchmarks\.md$/, reason: 'its texts come from files that are read' },
  { pages: /^tools\/prose\/sentences\.mjs$/, reason: 'it holds the patterns' },
  { pages: /^e2e\/src\/architecture\/prose\.test\.ts$/, reason: 'it holds the offenders' },
];

const faults = listFiles().flatMap(({ name, read }) =>
  read(name, readFileSync(path.join(root, name), 'utf8')).flatMap(({ line, text }) =>
    faultsOf(text).map((fault) => `${name}:${line} ${fault}`),
  ),
);
for (const fault of faults) console.log(fault);
console.log(faults.length === 0 ? 'the prose is plain' : `${faults.length} sentences to rewrite`);
process.exitCode = faults.length === 0 ? 0 : 1;

function listFiles(folder = '') {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !skippedFolders.has(name))
    .flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(name);
      const read = readers.find(({ pages }) => pages.test(name))?.read;
      return read === undefined || leftOut.some(({ pages }) => pages.test(name)) ? [] : [{ name, read }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
