// Writes docs/generated, .env.example and the generated files of deploy/ and console/ from their declarations; with --check it only says
// what is stale.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedDeploy } from './deploy/generated-deploy.js';
import { consoleStates } from './docs/console-states.js';
import { discover } from './docs/discover.js';
import { envExample } from './docs/env-example.js';
import { staleAmong, staleFiles, writeAmong, writeFresh } from './docs/fresh-folder.js';
import { generatedDocs } from './docs/generated-docs.js';
import { isSdkFresh } from './docs/sdk-freshness.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const docsFolder = 'docs/generated';

await run();

async function run(): Promise<void> {
  const discovered = await discover(root);
  const docs = generatedDocs(await productVersion(), discovered);
  const others = new Map([
    ...(await generatedDeploy(root)),
    ['.env.example', envExample(discovered.settings)],
    ['console/src/generated/states.ts', consoleStates(discovered.states)],
  ]);
  const folder = path.join(root, docsFolder);
  const inDocs = (name: string): string => `${docsFolder}/${name}`;
  const isFresh = await isSdkFresh(root, docs.get('openapi.json') ?? '');
  if (!isFresh) console.error('stale: clients/sdk/src/generated; run "npm run generate:sdk"');
  if (!process.argv.includes('--check')) {
    const written = [...(await writeFresh(folder, docs)).map(inDocs), ...(await writeAmong(root, others))];
    console.log(written.length === 0 ? 'all generated files are fresh' : `wrote ${written.join(', ')}`);
    return;
  }
  if (!isFresh) process.exitCode = 1;
  const stale = [...(await staleFiles(folder, docs)).map(inDocs), ...(await staleAmong(root, others))];
  if (stale.length === 0) return;
  console.error(`stale: ${stale.join(', ')}; run "npm run generate"`);
  process.exitCode = 1;
}

async function productVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  if (!isManifest || typeof manifest.version !== 'string') throw new Error('the root package.json has no version');
  return manifest.version;
}
