import { readFileSync } from 'node:fs';

/** The version of the product; all packages have the same one. */
export const productVersion: string = versionIn(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));

/** Without zod, so that the first line of a start, which names the version, does not wait for it. */
function versionIn(manifest: unknown): string {
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  if (!isManifest || typeof manifest.version !== 'string') throw new Error('the package.json of all-in-one has no version');
  return manifest.version;
}
