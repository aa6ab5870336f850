import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const target = z.strictObject({ group: z.string(), version: z.string(), kind: z.string(), name: z.string().optional() });
const anything = z.array(z.unknown()).optional();

/** The fields of current versions that the manifests use. Deprecated ones (`bases`, `commonLabels`, `patchesStrategicMerge`, `vars`) are refused. */
const schema = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string().optional(),
  resources: z.array(z.string()),
  labels: z.array(z.strictObject({ pairs: z.record(z.string(), z.string()), includeSelectors: z.literal(true) })).optional(),
  patches: z.array(z.strictObject({ path: z.string(), target: target.optional() })).optional(),
  images: anything,
  configMapGenerator: anything,
  generatorOptions: z.unknown().optional(),
});

export type Kustomization = z.output<typeof schema>;
export type PatchTarget = z.output<typeof target>;

export const kustomizationName = 'kustomization.yaml';

/** Throws on a field that current versions of kustomize call deprecated. */
export function parseKustomization(text: string): Kustomization {
  return schema.parse(parse(text));
}

/** The folders with a kustomization, as paths from the given one. */
export async function kustomizationsIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => path.basename(file) === kustomizationName).map((file) => path.dirname(file));
}

export async function readKustomization(folder: string): Promise<Kustomization> {
  return parseKustomization(await readFile(path.join(folder, kustomizationName), 'utf8'));
}
