import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { kustomizationName, kustomizationsIn, readKustomization, type Kustomization, type PatchTarget } from './kustomization.js';

type Named = { readonly kind?: string; readonly metadata?: { readonly name?: string } };

/**
 * Rewrites every kustomization in the folder with the fields of kubectl 1.20, the version of Debian 12. Users do not need it. See ADR 0083.
 */
export async function writeOldDialect(folder: string): Promise<void> {
  const manifests = await manifestsIn(folder);
  for (const each of await kustomizationsIn(folder)) {
    const place = path.join(folder, each);
    const translated = await translate(place, await readKustomization(place), manifests);
    await writeFile(path.join(place, kustomizationName), stringify(translated));
  }
}

async function manifestsIn(folder: string): Promise<readonly Named[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.yaml'));
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Named));
}

async function translate(
  place: string,
  { resources, labels = [], patches = [], ...others }: Kustomization,
  manifests: readonly Named[],
): Promise<unknown> {
  const isFolder = await Promise.all(resources.map(async (name) => (await stat(path.join(place, name))).isDirectory()));
  return {
    ...others,
    bases: resources.filter((_, nth) => isFolder[nth] === true),
    resources: resources.filter((_, nth) => isFolder[nth] !== true),
    commonLabels: Object.assign({}, ...labels.map(({ pairs }) => pairs)),
    patchesStrategicMerge: patches.filter((patch) => patch.target === undefined).map((patch) => patch.path),
    patchesJson6902: patches.flatMap((patch) =>
      patch.target === undefined ? [] : targetsOf(patch.target, manifests).map((target) => ({ target, path: patch.path })),
    ),
  };
}

/** A target without a name means every manifest of its kind; the old version wants each of them by name. */
function targetsOf(target: PatchTarget, manifests: readonly Named[]): readonly PatchTarget[] {
  if (target.name !== undefined) return [target];
  const names = manifests.filter(({ kind }) => kind === target.kind).flatMap(({ metadata }) => metadata?.name ?? []);
  return [...new Set(names)].map((name) => ({ ...target, name }));
}
