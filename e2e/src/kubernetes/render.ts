import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { provideKubectl } from '@holdfast/dev-servers/debian';
import type { Manifest } from './manifest.js';
import { writeOldDialect } from './old-dialect.js';

const run = promisify(execFile);
const outputBytesMax = 16 * 1_024 * 1_024;
const timeoutMs = 60_000;

export const manifestsFolder = fileURLToPath(new URL('../../../deploy/k8s/', import.meta.url));

/** Older versions do not know the fields that the manifests use. */
const oldestCurrentMinor = 27;

/** What `kubectl apply -k` would send for each kustomization, without a cluster. */
export async function renderAll(names: readonly string[]): Promise<readonly (readonly Manifest[])[]> {
  if (!(await isOldKubectl())) return Promise.all(names.map((name) => renderSilently(path.join(manifestsFolder, name))));
  return inOldDialect((folder) => Promise.all(names.map((name) => renderSilently(path.join(folder, name)))));
}

/** The same from a copy in the dialect of kubectl 1.20, which current versions still render with warnings. */
export function renderFromOldDialect(name: string): Promise<readonly Manifest[]> {
  return inOldDialect(async (folder) => (await kustomize(path.join(folder, name))).manifests);
}

async function inOldDialect<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-k8s-'));
  try {
    await cp(manifestsFolder, folder, { recursive: true });
    await writeOldDialect(folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isOldKubectl(): Promise<boolean> {
  const { paths } = await provideKubectl();
  const { stdout } = await run(paths.kubectl, ['version', '--client', '--output', 'json'], { timeout: timeoutMs });
  const { clientVersion } = z.object({ clientVersion: z.object({ minor: z.string() }) }).parse(JSON.parse(stdout));
  return Number.parseInt(clientVersion.minor, 10) < oldestCurrentMinor;
}

/** Fails on a warning, such as that a field is deprecated. */
async function renderSilently(folder: string): Promise<readonly Manifest[]> {
  const { manifests, warnings } = await kustomize(folder);
  if (warnings !== '') throw new Error(`kubectl warns about ${folder}: ${warnings}`);
  return manifests;
}

async function kustomize(folder: string): Promise<{ readonly manifests: readonly Manifest[]; readonly warnings: string }> {
  const { paths } = await provideKubectl();
  const options = { maxBuffer: outputBytesMax, timeout: timeoutMs };
  const { stdout, stderr } = await run(paths.kubectl, ['kustomize', folder], options);
  return { manifests: parseManifests(stdout), warnings: stderr };
}

export async function readManifests(file: string): Promise<readonly Manifest[]> {
  return parseManifests(await readFile(path.join(manifestsFolder, file), 'utf8'));
}

type PatchOperation = { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown };

/** The manifest with a JSON patch of `deploy/k8s`; only what our patches do. */
export async function readPatched(file: string, manifest: Manifest): Promise<Manifest> {
  const operations = parse(await readFile(path.join(manifestsFolder, file), 'utf8')) as readonly PatchOperation[];
  const patched = structuredClone(manifest);
  for (const { path: pointer, value } of operations) {
    const keys = pointer.split('/').slice(1);
    const last = keys.pop() ?? '';
    const holder = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, patched);
    holder[last] = value;
  }
  return patched;
}

function parseManifests(yaml: string): readonly Manifest[] {
  return parseAllDocuments(yaml).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'));
    return document.toJS() as Manifest;
  });
}

/** What Kubernetes' and the operators' schemas refuse in each manifest. */
export async function schemaFaults(manifests: readonly Manifest[]): Promise<(readonly string[])[]> {
  const program = fileURLToPath(new URL('./schemas/validate-manifests.mjs', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'], timeout: timeoutMs });
  child.stdin.end(JSON.stringify(manifests));
  return JSON.parse(await text(child.stdout));
}
