import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '../architecture/planted-tree.js';
import { planted, plantedManifest, type Check, type Context } from './check.js';
import { networkChecks } from './checks/network.js';
import { podChecks } from './checks/pods.js';
import { referenceChecks } from './checks/references.js';
import { settingsChecks } from './checks/settings.js';
import { createLog } from '@holdfast/observability';
import { startSandbox } from '@holdfast/sandbox';
import type { Manifest } from './manifest.js';
import { processesOf } from './processes.js';
import { kustomizationsIn, parseKustomization, readKustomization } from './kustomization.js';
import { manifestsFolder, readManifests, readPatched, renderAll, renderFromOldDialect, schemaFaults } from './render.js';
import { readSettingsTable } from './settings-table.js';

const checks: readonly Check[] = [...podChecks, ...referenceChecks, ...settingsChecks, ...networkChecks];
const folders = ['base', 'overlays/dev', 'overlays/prod'] as const;

let rendered: Readonly<Record<(typeof folders)[number], readonly Manifest[]>>;
let context: Context;
/** What the schemas refuse of each folder, and of each offender. One run for all, because loading the schemas takes seconds. */
let refused: Readonly<Record<(typeof folders)[number] | 'restored' | 'offenders', readonly (readonly string[])[]>>;

/** The operator wants a Secret for it. */
const alertmanagerConfiguration = 'alertmanager-holdfast';

/** Unknown fields, wrong types, and kinds without a schema. */
const schemaOffenders = [
  ['Deployment/orders', 'spec.template.spec.containers.0.redinessProbe', {}],
  ['Deployment/orders', 'spec.replicas', 'two'],
  ['NetworkPolicy/orders', 'spec.egres', []],
  ['Cluster/holdfast-postgres', 'spec.instanzes', 3],
  ['ScheduledBackup/holdfast-postgres', 'spec.schedule'],
  ['RabbitmqCluster/holdfast-rabbitmq', 'spec.replica', 3],
  ['ObjectStore/holdfast-backup', 'spec.configuration.destination', 's3://x/'],
  ['ServiceMonitor/holdfast', 'spec.endpoints.0.prot', 'metrics'],
  ['Alertmanager/holdfast', 'spec.configSecrets', 'x'],
  ['Ingress/gateway', 'apiVersion', 'extensions/v1beta1'],
] as const;

beforeAll(async () => {
  const [base, dev, prod] = await renderAll(folders);
  if (base === undefined || dev === undefined || prod === undefined) throw new Error('not every folder was rendered');
  rendered = { base, 'overlays/dev': dev, 'overlays/prod': prod };
  const { version } = JSON.parse(await readFile(path.join(repository, 'package.json'), 'utf8'));
  context = { version, secrets: await readManifests('secrets.example.yaml'), settings: await readSettingsTable() };
  const offenders = schemaOffenders.map((offender) => plantedManifest(prod, offender));
  const restored = await readPatched('restore.example.yaml', clusterOf(prod));
  const faults = await schemaFaults([...base, ...dev, ...prod, restored, ...offenders]);
  refused = {
    base: faults.splice(0, base.length),
    'overlays/dev': faults.splice(0, dev.length),
    'overlays/prod': faults.splice(0, prod.length),
    restored: faults.splice(0, 1),
    offenders: faults,
  };
});

function clusterOf(manifests: readonly Manifest[]): Manifest {
  const cluster = manifests.find(({ kind }) => kind === 'Cluster');
  if (cluster === undefined) throw new Error('there is no Cluster');
  return cluster;
}

describe('the kustomizations', () => {
  it('use no deprecated field, so that a current kubectl prints no warning', async () => {
    const places = await kustomizationsIn(manifestsFolder);
    expect(places).toEqual(expect.arrayContaining([...folders, 'data']));
    for (const place of places) await readKustomization(path.join(manifestsFolder, place));
    const old = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\nbases: [../../base]';
    expect(() => parseKustomization(old)).toThrow('bases');
  });

  it('mean the same in the dialect that Debian has, to which the tests translate them where needed', async () => {
    const names = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;
    const sorted = (all: readonly Manifest[]): readonly Manifest[] => [...all].sort((a, b) => names(a).localeCompare(names(b)));
    expect(sorted(await renderFromOldDialect('overlays/dev'))).toEqual(sorted(rendered['overlays/dev']));
  });
});

describe('the example of a restore', () => {
  it('makes of the Cluster one that begins with a backup and archives to its own place', async () => {
    expect(refused.restored).toEqual([[]]);
    const { spec } = await readPatched('restore.example.yaml', clusterOf(rendered['overlays/prod']));
    const [archive] = spec.plugins ?? [];
    const [source] = spec.externalClusters ?? [];
    expect(spec.bootstrap).toMatchObject({ recovery: { source: source?.name, owner: 'holdfast_admin' } });
    expect(spec.bootstrap?.initdb).toBeUndefined();
    expect(source?.plugin.parameters.barmanObjectName).toBe(archive?.parameters.barmanObjectName);
    expect(source?.plugin.parameters.serverName).not.toBe(archive?.parameters.serverName);
  });
});

describe.each(folders)('the manifests of %s', (folder) => {
  it('follow the schemas of Kubernetes and of the operators', () => {
    expect(refused[folder]).toEqual(rendered[folder].map(() => []));
  });

  it('are all in the one namespace', () => {
    const elsewhere = rendered[folder].filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'holdfast');
    expect(elsewhere.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
  });

  it.each(checks.filter(({ isOfOverlay = false }) => !isOfOverlay || folder !== 'base'))('hold that $fact', ({ find }) => {
    expect(find(rendered[folder], context)).toEqual([]);
  });
});

describe('an offender is found', () => {
  it.each(checks)('when it violates that $fact', ({ find, offenders }) => {
    const missed = offenders.filter((offender) => find(planted(rendered['overlays/prod'], offender), context).length === 0);
    expect(missed).toEqual([]);
    expect(offenders.length).toBeGreaterThan(0);
  });

  it('by the schemas: unknown fields, wrong types, and kinds without a schema', () => {
    expect(schemaOffenders.filter((_, nth) => refused.offenders[nth]?.length === 0)).toEqual([]);
    expect(refused.offenders).toHaveLength(schemaOffenders.length);
  });
});

describe('the Secrets of the dev overlay', () => {
  it('match the Secrets of the example that no operator makes', () => {
    const madeByOthers = ['holdfast-backup', 'holdfast-postgres-ca', 'holdfast-rabbitmq-default-user', 'holdfast-tls'];
    const madeElsewhere = [...madeByOthers, alertmanagerConfiguration];
    const keysOf = (manifests: readonly Manifest[]) =>
      Object.fromEntries(
        manifests
          .filter(({ kind, metadata }) => kind === 'Secret' && !madeElsewhere.includes(metadata.name))
          .map(({ metadata, stringData = {} }) => [metadata.name, Object.keys(stringData).sort()]),
      );
    expect(keysOf(rendered['overlays/dev'])).toEqual(keysOf(context.secrets));
  });

  it('exist nowhere else, but for the configuration of Alertmanager, which has none in it', () => {
    const found = rendered['overlays/prod'].filter(({ kind }) => kind === 'Secret');
    expect(found.map(({ metadata }) => metadata.name)).toEqual([alertmanagerConfiguration]);
  });
});

describe('the settings of the dev overlay', () => {
  it('are what the sandbox has', async () => {
    const sandbox = await startSandbox({ log: createLog({ service: 'sandbox', level: 'silent', pretty: false }), port: 0 });
    await sandbox.close();
    const processes = processesOf(rendered['overlays/dev']);
    const valueOf = (process: string, setting: string) => processes.find(({ name }) => name === process)?.values.get(setting);
    const path = (url: string): string => url.replace(sandbox.url, 'http://sandbox:8090');
    const { 'single-release': single, 'multi-release': multi } = sandbox.contracts;
    const expected = {
      LEDGER_NETWORK_PASSPHRASE: sandbox.networkPassphrase,
      LEDGER_RPC_URL: path(sandbox.rpcUrl),
      LEDGER_HORIZON_URL: path(sandbox.horizonUrl),
      LEDGER_FAUCET_URL: `${path(sandbox.controlUrl)}/faucet`,
      USDC_ISSUER: sandbox.usdcIssuer,
      ESCROW_PROVIDER_URL: path(sandbox.escrowProviderUrl),
      ESCROW_FACTORY_SINGLE: single.factory,
      ESCROW_FACTORY_MULTI: multi.factory,
      ESCROW_WASM_HASH_SINGLE: single.wasmHash,
      ESCROW_WASM_HASH_MULTI: multi.wasmHash,
      ESCROW_FEE_ADDRESS: sandbox.providerFeesAddress,
    };
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, valueOf('escrow-adapter', name)]));
    expect(found).toEqual(expected);
    expect(valueOf('payments', 'PAYMENT_PROVIDER_URL')).toBe(path(sandbox.paymentProviderUrl));
    const secretOf = (name: string) => rendered['overlays/dev'].find((one) => one.metadata.name === name)?.stringData;
    expect(secretOf('holdfast-escrow-adapter')).toMatchObject({ ESCROW_PROVIDER_API_KEY: sandbox.escrowApiKey });
    expect(secretOf('holdfast-payments')).toMatchObject({
      PAYMENT_PROVIDER_KEY: sandbox.paymentUser,
      PAYMENT_PROVIDER_SECRET: sandbox.paymentPassword,
    });
  });
});
