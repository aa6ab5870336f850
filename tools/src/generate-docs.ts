// Writes docs/generated from the declarations in the code; with --check it only says what is stale.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { discover } from './docs/discover.js';
import { staleFiles, writeFresh } from './docs/fresh-folder.js';
import { generatedDocs } from './docs/generated-docs.js';

const root = new URL('../../', import.meta.url);
const folder = fileURLToPath(new URL('docs/generated/', root));

await run();

async function run(): Promise<void> {
  const wanted = generatedDocs(await productVersion(), await discover(fileURLToPath(root)));
  if (!process.argv.includes('--check')) {
    const written = await writeFresh(folder, wanted);
    console.log(written.length === 0 ? 'docs/generated is fresh' : `wrote ${written.join(', ')}`);
    return;
  }
  const stale = await staleFiles(folder, wanted);
  if (stale.length === 0) return;
  console.error(`stale in docs/generated: ${stale.join(', ')}; run "npm run generate"`);
  process.exitCode = 1;
}

async function productVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  if (!isManifest || typeof manifest.version !== 'string') throw new Error('the root package.json has no version');
  return manifest.version;
}
