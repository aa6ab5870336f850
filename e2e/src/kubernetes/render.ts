import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { provideKubectl } from '@holdfast/dev-servers/debian';
import type { Manifest } from './manifest.js';

const run = promisify(execFile);
const outputBytesMax = 16 * 1_024 * 1_024;
const timeoutMs = 60_000;

const folder = fileURLToPath(new URL('../../../deploy/k8s/', import.meta.url));

/** What `kubectl apply -k` would send, without a cluster. */
export async function render(kustomization: string): Promise<readonly Manifest[]> {
  const { paths } = await provideKubectl();
  const options = { maxBuffer: outputBytesMax, timeout: timeoutMs };
  const { stdout } = await run(paths.kubectl, ['kustomize', path.join(folder, kustomization)], options);
  return parseManifests(stdout);
}

export async function readManifests(file: string): Promise<readonly Manifest[]> {
  return parseManifests(await readFile(path.join(folder, file), 'utf8'));
}

function parseManifests(yaml: string): readonly Manifest[] {
  return parseAllDocuments(yaml).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'));
    return document.toJS() as Manifest;
  });
}

/** What the schemas of Kubernetes and of the operators refuse of each manifest. */
export async function schemaFaults(manifests: readonly Manifest[]): Promise<(readonly string[])[]> {
  const program = fileURLToPath(new URL('./schemas/validate-manifests.mjs', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'], timeout: timeoutMs });
  child.stdin.end(JSON.stringify(manifests));
  return JSON.parse(await text(child.stdout));
}
