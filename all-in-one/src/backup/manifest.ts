import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { CannotStart, dataVersion, isNewer, writeDurably } from '../data-folder/index.js';
import { productVersion } from '../product.js';

/** Raised when an older version could not restore the backup. */
const formatVersion = 1;
const manifestName = 'manifest.json';
const checksumName = 'manifest.json.sha256';

const manifestSchema = z.object({
  product: z.literal('holdfast'),
  formatVersion: z.int().positive(),
  /** The Holdfast that made the backup, and the form of its data folder. */
  version: z.string(),
  dataVersion: z.int(),
  createdAt: z.iso.datetime(),
  database: z.object({ systemIdentifier: z.string(), walStart: z.string(), walStop: z.string() }),
  /** Secrets that were given as settings, so that the backup does not hold them. */
  missingSecrets: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), bytes: z.int().nonnegative(), sha256: z.string().length(64) })),
});
export type Manifest = z.output<typeof manifestSchema>;
type ManifestFile = Manifest['files'][number];

export type BackupFacts = Pick<Manifest, 'createdAt' | 'database' | 'missingSecrets'>;

/** Lists every file of the folder with its checksum. Written last: a folder without it is not a backup. */
export async function writeManifest(folder: string, facts: BackupFacts): Promise<Manifest> {
  const paths = (await listFiles(folder)).toSorted();
  const files = await inChunks(paths, async (file): Promise<ManifestFile> => {
    return { path: file, ...(await digestOf(path.join(folder, file), { flush: true })) };
  });
  const manifest: Manifest = { product: 'holdfast', formatVersion, version: productVersion, dataVersion, ...facts, files };
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  writeDurably(path.join(folder, checksumName), `${sha256(text)}\n`);
  writeDurably(path.join(folder, manifestName), text);
  return manifest;
}

/** Refuses a folder that is not a backup, that a newer version has made, or that was changed afterwards. Changes nothing. */
export async function readBackup(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  await inChunks(manifest.files, (file) => assertUnchanged(folder, file));
  return manifest;
}

function readManifest(folder: string): Manifest {
  const file = path.join(folder, manifestName);
  if (!existsSync(file))
    throw new CannotStart(`${folder} is not a complete backup: ${manifestName} is missing. Nothing was changed.`);
  const text = readFileSync(file, 'utf8');
  const checksum = existsSync(path.join(folder, checksumName))
    ? readFileSync(path.join(folder, checksumName), 'utf8').trim()
    : '';
  if (sha256(text) !== checksum) throw damaged(folder, manifestName);
  assertNotNewer(folder, versionsSchema.parse(JSON.parse(text)));
  return manifestSchema.parse(JSON.parse(text));
}

const versionsSchema = z.looseObject({ formatVersion: z.int(), version: z.string(), dataVersion: z.int() });

function assertNotNewer(folder: string, found: z.output<typeof versionsSchema>): void {
  const isUnknown = found.formatVersion > formatVersion || found.dataVersion > dataVersion;
  if (isUnknown || isNewer(found.version, productVersion))
    throw new CannotStart(
      `The backup in ${folder} was made by Holdfast ${found.version}, and this is ${productVersion}: restore it with that version or a later one. Nothing was changed.`,
    );
  if (found.dataVersion < dataVersion)
    throw new CannotStart(
      `The backup in ${folder} holds data of the older form ${found.dataVersion}, and this version needs ${dataVersion}: restore it with Holdfast ${found.version}. Nothing was changed.`,
    );
}

async function assertUnchanged(folder: string, { path: name, bytes, sha256: expected }: ManifestFile): Promise<void> {
  const file = path.join(folder, name);
  if (!existsSync(file)) throw damaged(folder, name);
  const found = await digestOf(file, { flush: false });
  if (found.bytes !== bytes || found.sha256 !== expected) throw damaged(folder, name);
}

function damaged(folder: string, name: string): CannotStart {
  return new CannotStart(
    `The backup in ${folder} is damaged: ${name} is missing or is not as it was written. Nothing was changed. Use another backup.`,
  );
}

/** The paths of all files below the folder, with forward slashes. */
async function listFiles(folder: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  const lists = await Promise.all(
    entries.map((entry) => {
      const name = path.posix.join(below, entry.name);
      return entry.isDirectory() ? listFiles(folder, name) : Promise.resolve([name]);
    }),
  );
  return lists.flat();
}

/** Files at the same time: a disk flushes many at the price of a few. */
const chunkSize = 32;

async function inChunks<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += chunkSize)
    results.push(...(await Promise.all(items.slice(start, start + chunkSize).map(work))));
  return results;
}

async function digestOf(file: string, { flush }: { readonly flush: boolean }): Promise<Omit<ManifestFile, 'path'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  if (flush) await flushFile(file);
  return { bytes, sha256: hash.digest('hex') };
}

async function flushFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
