import type { Manifest } from './manifest.js';
import type { SettingsTable } from './settings-table.js';

/** What the manifests are compared with. */
export type Context = {
  /** The Secrets that an installation must have, with their keys. */
  readonly secrets: readonly Manifest[];
  readonly settings: SettingsTable;
  /** The version of this repository. */
  readonly version: string;
};

/** An edit of one field, which the check must find: the manifest, the path of the field, and its new value (none: deleted). */
export type Offender = readonly [manifest: string, path: string, value?: unknown];

export type Check = {
  readonly fact: string;
  /** One line for each thing that is wrong. */
  readonly find: (manifests: readonly Manifest[], context: Context) => readonly string[];
  readonly offenders: readonly Offender[];
  /** Overlays only: the base alone has neither providers nor servers. */
  readonly isOfOverlay?: boolean;
};

/** The manifests with the edit. `Deployment/orders` names a manifest; a generated ConfigMap is named without its hash. */
export function planted(manifests: readonly Manifest[], offender: Offender): readonly Manifest[] {
  const original = offenderIn(manifests, offender);
  return manifests.map((manifest) => (manifest === original ? edited(original, offender) : manifest));
}

/** Only the manifest with the edit. */
export function plantedManifest(manifests: readonly Manifest[], offender: Offender): Manifest {
  return edited(offenderIn(manifests, offender), offender);
}

function offenderIn(manifests: readonly Manifest[], [name]: Offender): Manifest {
  const [kind = '', rest = ''] = name.split('/');
  const isMeant = ({ metadata }: Manifest): boolean => metadata.name === rest || isGenerated(metadata.name, rest);
  const found = manifests.find((manifest) => manifest.kind === kind && isMeant(manifest));
  if (found === undefined) throw new Error(`there is no ${name} to plant an offender in`);
  return found;
}

function edited(original: Manifest, [, path, value]: Offender): Manifest {
  const manifest = structuredClone(original);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.reduce<Readonly<Record<string, unknown>>>((at, key) => at[key] as Record<string, unknown>, manifest);
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, value);
  return manifest;
}

function isGenerated(name: string, base: string): boolean {
  return name.startsWith(`${base}-`) && /^[0-9a-z]{10}$/.test(name.slice(base.length + 1));
}
