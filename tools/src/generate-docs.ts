// Writes docs/generated and .env.example from the declarations in the code; with --check it only says what is stale.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { discover } from './docs/discover.js';
import { envExample } from './docs/env-example.js';
import { staleFiles, writeFresh } from './docs/fresh-folder.js';
import { generatedDocs } from './docs/generated-docs.js';

const root = new URL('../../', import.meta.url);
const folder = fileURLToPath(new URL('docs/generated/', root));
const exampleName = '.env.example';
const exampleFile = new URL(exampleName, root);

await run();

async function run(): Promise<void> {
  const discovered = await discover(fileURLToPath(root));
  const wanted = generatedDocs(await productVersion(), discovered);
  const example = envExample(discovered.settings);
  const isExampleFresh = (await readFile(exampleFile, 'utf8').catch(() => '')) === example;
  if (!process.argv.includes('--check')) {
    const written = [...(await writeFresh(folder, wanted)), ...(isExampleFresh ? [] : [exampleName])];
    if (!isExampleFresh) await writeFile(exampleFile, example);
    console.log(written.length === 0 ? `docs/generated and ${exampleName} are fresh` : `wrote ${written.join(', ')}`);
    return;
  }
  const stale = [...(await staleFiles(folder, wanted)), ...(isExampleFresh ? [] : [exampleName])];
  if (stale.length === 0) return;
  console.error(`stale: ${stale.join(', ')}; run "npm run generate"`);
  process.exitCode = 1;
}

async function productVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  if (!isManifest || typeof manifest.version !== 'string') throw new Error('the root package.json has no version');
  return manifest.version;
}
