import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Where the build puts the console. */
export const builtConsole = fileURLToPath(new URL('../dist/console/', import.meta.url));

export type Asset = { readonly contentType: string; readonly content: Buffer; readonly gzipped: Buffer | undefined };

/** The built console in memory, so that a request names no file. */
export type ConsoleFiles = {
  /** The page, whose inline script and style carry the nonce of the response. */
  readonly pageFor: (nonce: string) => string;
  /** By file name, which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, Asset>;
};

/** How the built page names the nonce. */
const noncePlaceholder = '__NONCE__';

/** Other files, such as source maps, are not served. */
const contentTypes: Readonly<Record<string, { readonly contentType: string; readonly isText: boolean }>> = {
  '.js': { contentType: 'text/javascript; charset=utf-8', isText: true },
  '.css': { contentType: 'text/css; charset=utf-8', isText: true },
  '.svg': { contentType: 'image/svg+xml', isText: true },
  '.woff2': { contentType: 'font/woff2', isText: false },
};

const compress = promisify(gzip);
const compressionLevel = 9;

/** Reads and compresses the built console. Undefined if it was not built. */
export async function readConsoleFiles(folder: string): Promise<ConsoleFiles | undefined> {
  const page = await readIfBuilt(path.join(folder, 'index.html'));
  if (page === undefined) return undefined;
  const names = await readdir(path.join(folder, 'assets'));
  const assets = await Promise.all(
    names.map(async (name) => [name, await readAsset(path.join(folder, 'assets', name))] as const),
  );
  const served = assets.flatMap(([name, asset]) => (asset === undefined ? [] : [[name, asset] as const]));
  return { pageFor: (nonce) => page.replaceAll(noncePlaceholder, nonce), assets: new Map(served) };
}

async function readIfBuilt(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readAsset(file: string): Promise<Asset | undefined> {
  const type = contentTypes[path.extname(file)];
  if (type === undefined) return undefined;
  const content = await readFile(file);
  const gzipped = type.isText ? await compress(content, { level: compressionLevel }) : undefined;
  return { contentType: type.contentType, content, gzipped };
}
