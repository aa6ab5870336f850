import type { Check, Context } from '../check.js';
import { nameWithoutHash, ofKind, type Manifest } from '../manifest.js';
import { processesOf, servesNothing, urlOf, urlSettingOf, type Process } from '../processes.js';

const fileSuffix = '_FILE';
/** Read by every process, though only some declare it: in production secrets must be long. */
const readByAll = ['NODE_ENV'];

function settingOf(name: string): string {
  return name.endsWith(fileSuffix) ? name.slice(0, -fileSuffix.length) : name;
}

function isGiven({ values }: Process, name: string): boolean {
  return values.has(name) || values.has(`${name}${fileSuffix}`);
}

/** The ConfigMap of what several processes read. */
const commonName = 'holdfast';

type OwnSettings = { readonly name: string; readonly keys: readonly string[] };

/** The settings of each ConfigMap, with the settings of the container of the same name. */
function ownSettingsOf(manifests: readonly Manifest[]): readonly OwnSettings[] {
  const processes = processesOf(manifests);
  return ofKind(manifests, 'ConfigMap').map(({ metadata, data = {} }) => {
    const name = nameWithoutHash(metadata.name);
    const env = processes.find((process) => process.name === name)?.container.env ?? [];
    return { name, keys: [...Object.keys(data), ...env.map((one) => one.name)] };
  });
}

/** The processes of the platform that read a setting. The sandbox stands for systems outside. */
function readersOf(setting: string, { settings }: Context): readonly string[] {
  const processes = [...settings.keys()].filter((name) => !['all-in-one', 'sandbox'].includes(name));
  if (readByAll.includes(setting)) return processes;
  return processes.filter((name) => (settings.get(name) ?? []).some((one) => one.name === setting));
}

const known: Check = {
  fact: 'every setting is one of its process',
  find: (manifests, { settings }) =>
    ownSettingsOf(manifests)
      .filter(({ name }) => name !== commonName)
      .flatMap(({ name, keys }) => {
        const names = [...readByAll, ...(settings.get(name) ?? []).map((one) => one.name)];
        return keys.filter((key) => !names.includes(settingOf(key))).map((key) => `${name} has no setting ${key}`);
      }),
  offenders: [
    ['ConfigMap/orders', 'data.RATE_LIMIT_STORE', 'postgres'],
    ['ConfigMap/orders', 'data.LOGLEVEL', 'info'],
    ['Deployment/orders', 'spec.template.spec.containers.0.env.0.name', 'MASTER_KEY_FILE'],
  ],
};

const complete: Check = {
  fact: 'every required setting is given, and the address of every service',
  isOfOverlay: true,
  find: (manifests, { settings }) => {
    const serviceUrls = new Set(processesOf(manifests).map(({ name }) => urlSettingOf(name)));
    return processesOf(manifests).flatMap((process) =>
      (settings.get(process.name) ?? [])
        .filter(({ name, isRequired }) => (isRequired || serviceUrls.has(name)) && !isGiven(process, name))
        .map(({ name }) => `${process.name} needs ${name}`),
    );
  },
  offenders: [
    ['ConfigMap/payments', 'data.PAYMENT_PROVIDER_URL'],
    ['ConfigMap/orders', 'data.IDENTITY_URL'],
    ['Deployment/orders', 'spec.template.spec.containers.0.env', []],
  ],
};

const secret: Check = {
  fact: 'every secret comes from a file; a URL without a password is none',
  find: (manifests, { settings }) =>
    processesOf(manifests).flatMap(({ name, values }) =>
      (settings.get(name) ?? [])
        .filter(({ name: setting, isSecret }) => isSecret && values.has(setting) && !isHarmless(values.get(setting) ?? ''))
        .map((one) => `${name} has ${one.name} in plain text`),
    ),
  offenders: [
    ['ConfigMap/orders', 'data.INTERNAL_SECRET', 'x'],
    ['ConfigMap/orders', 'data.DATABASE_URL', 'postgres://admin:secret@db/holdfast'],
  ],
};

function isHarmless(value: string): boolean {
  const url = urlOf(value);
  return url?.username === '' && url.password === '';
}

/** Differ between processes on purpose. */
const ownSettings = ['PORT', 'METRICS_PORT', 'DATABASE_POOL_MAX', 'LOG_LEVEL', 'NODE_ENV', 'SHUTDOWN_DELAY_MS'];

const common: Check = {
  fact: 'a setting that several processes read is in their common ConfigMap only, unless it is their own or an address that they call',
  find: (manifests, context) => {
    const isOwn = (key: string): boolean => ownSettings.includes(key) || key.endsWith('_URL') || key.endsWith(fileSuffix);
    return ownSettingsOf(manifests)
      .filter(({ name }) => name !== 'sandbox')
      .flatMap(({ name, keys }) => {
        const isCommon = name === commonName;
        const wrong = keys.filter((key) =>
          isCommon ? readersOf(key, context).length < 2 : !isOwn(key) && readersOf(key, context).length > 1,
        );
        return wrong.map((key) => `${key} is in ${name}`);
      });
  },
  offenders: [
    ['ConfigMap/orders', 'data.LEDGER_NETWORK_PASSPHRASE', 'Other Network'],
    ['ConfigMap/gateway', 'data.ORDER_AMOUNT_MAX', '100.00'],
    ['ConfigMap/holdfast', 'data.USDC_ISSUER', 'G'],
  ],
};

const everyProcess: Check = {
  fact: 'every process of the platform reads the common ConfigMap',
  find: (manifests) => {
    const [shared] = ofKind(manifests, 'ConfigMap').filter(({ metadata }) => nameWithoutHash(metadata.name) === commonName);
    return processesOf(manifests)
      .filter(({ name }) => name !== 'sandbox')
      .filter(({ container }) => container.envFrom?.[0]?.configMapRef?.name !== shared?.metadata.name)
      .map(({ name }) => name);
  },
  offenders: [['Deployment/orders', 'spec.template.spec.containers.0.envFrom.0.configMapRef.name', 'orders']],
};

const equal: Check = {
  fact: 'settings of the same name have the same value in every process',
  find: (manifests) => {
    const all = processesOf(manifests).flatMap(({ values }) => [...values].map(([name, value]) => ({ name, value })));
    return [...new Set(all.map(({ name }) => name))].filter(
      (name) => !ownSettings.includes(name) && new Set(all.filter((one) => one.name === name).map(({ value }) => value)).size > 1,
    );
  },
  offenders: [
    ['ConfigMap/orders', 'data.DATABASE_URL', 'postgres://other:5432/holdfast'],
    ['ConfigMap/orders', 'data.IDENTITY_URL', 'http://identity:9999'],
  ],
};

const ports: Check = {
  fact: 'processes listen on the ports that their containers declare, reachable from other pods',
  find: (manifests, { settings }) =>
    processesOf(manifests).flatMap(({ name, values, container }) => {
      if (servesNothing(name)) return container.ports === undefined ? [] : [`${name} has a port`];
      const prefix = name === 'sandbox' ? 'SANDBOX_' : '';
      const portOf = (port: string): string => String(container.ports?.find((one) => one.name === port)?.containerPort);
      const metricsDefault = settings.get(name)?.find((one) => one.name === 'METRICS_PORT')?.defaultText;
      return [
        ...(values.get(`${prefix}PORT`) === portOf('http') ? [] : [`${name} has another port`]),
        ...(values.get('METRICS_PORT') === portOf('metrics') ? [] : [`${name} has another metrics port`]),
        ...(metricsDefault === portOf('metrics') ? [] : [`${name} has its metrics on ${metricsDefault} elsewhere`]),
        ...[`${prefix}HOST`, 'METRICS_HOST'].filter((host) => values.get(host) !== '0.0.0.0').map((host) => `${name}: ${host}`),
      ];
    }),
  offenders: [
    ['ConfigMap/orders', 'data.PORT', '8080'],
    ['ConfigMap/orders', 'data.METRICS_PORT', '9080'],
    ['ConfigMap/holdfast', 'data.METRICS_HOST'],
    ['Deployment/operator', 'spec.template.spec.containers.0.ports', [{ name: 'http', containerPort: 8080 }]],
  ],
};

const addresses: Check = {
  fact: 'every address within the cluster names a Service and its port',
  isOfOverlay: true,
  find: (manifests) => {
    const services = ofKind(manifests, 'Service').flatMap(({ metadata, spec }) =>
      (spec.ports ?? []).map(({ port }) => `${metadata.name}:${port}`),
    );
    // The operator makes the Services of its cluster: -rw leads to the primary.
    const known = [...services, ...ofKind(manifests, 'Cluster').map(({ metadata }) => `${metadata.name}-rw:5432`)];
    return processesOf(manifests).flatMap(({ name, values }) =>
      [...values]
        .flatMap(([setting, value]) => ({ setting, host: urlOf(value)?.host ?? '' }))
        .filter(({ host }) => host !== '' && !host.includes('.') && !known.includes(host))
        .map(({ setting }) => `${name}: ${setting}`),
    );
  },
  offenders: [
    ['ConfigMap/orders', 'data.IDENTITY_URL', 'http://identity:8083'],
    ['ConfigMap/orders', 'data.DATABASE_URL', 'postgres://postgres:5432/holdfast'],
  ],
};

function replicasMax(manifests: readonly Manifest[], name: string): number {
  const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(({ spec }) => spec.scaleTargetRef?.name === name);
  const deployment = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === name);
  return scaler?.spec.maxReplicas ?? deployment?.spec.replicas ?? 1;
}

const rateLimits: Check = {
  fact: 'several gateways count requests together',
  find: (manifests) =>
    processesOf(manifests)
      .filter(({ name, values }) => name === 'gateway' && values.get('RATE_LIMIT_STORE') !== 'postgres')
      .map(({ name }) => `${replicasMax(manifests, name)} gateways count apart`),
  offenders: [['ConfigMap/gateway', 'data.RATE_LIMIT_STORE', 'memory']],
};

/** Lists and jobs have their own pool; the server keeps some connections for itself, its operator and people. */
const listConnections = 3;
const reservedConnections = 20;

const connections: Check = {
  fact: 'Postgres has connections for every process at its largest number of replicas, and for one more during a roll-out',
  find: (manifests) => {
    const needed = processesOf(manifests)
      .filter(({ values }) => values.has('DATABASE_POOL_MAX'))
      .map(({ name, values }) => (replicasMax(manifests, name) + 1) * (Number(values.get('DATABASE_POOL_MAX')) + listConnections))
      .reduce((sum, count) => sum + count, reservedConnections);
    return ofKind(manifests, 'Cluster')
      .map(({ spec }) => Number(spec.postgresql?.parameters?.['max_connections']))
      .filter((max) => !(max >= needed))
      .map((max) => `${max} connections, but ${needed} are needed`);
  },
  offenders: [
    ['Cluster/holdfast-postgres', 'spec.postgresql.parameters.max_connections', '100'],
    ['HorizontalPodAutoscaler/orders', 'spec.maxReplicas', 40],
  ],
};

/** On a public network; shorter on the sandbox's network. */
const settlementMsDefault = 60_000;

const streams: Check = {
  fact: 'the gateway waits longer than a service for its saga run, the Ingress waits longer than the longest request and than the pings of a stream, and buffers nothing',
  find: (manifests, { settings }) => {
    const annotationOf = (name: string): string | undefined =>
      ofKind(manifests, 'Ingress')[0]?.metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`];
    const pingMs = Number(settings.get('notifications')?.find(({ name }) => name === 'EVENTS_PING_EVERY_MS')?.defaultText);
    const proxyMs = Number(
      processesOf(manifests)
        .find(({ name }) => name === 'gateway')
        ?.values.get('PROXY_TIMEOUT_MS'),
    );
    const waitMs = Number(annotationOf('proxy-read-timeout')) * 1_000;
    const settlementMs = processesOf(manifests).map(({ values }) =>
      Number(values.get('SETTLEMENT_TIMEOUT_MS') ?? settlementMsDefault),
    );
    return [
      ...(settlementMs.every((ms) => proxyMs > ms) ? [] : ['PROXY_TIMEOUT_MS is too short']),
      ...(waitMs > Math.max(3 * proxyMs, 2 * pingMs) ? [] : ['proxy-read-timeout is too short']),
      ...(annotationOf('proxy-buffering') === 'off' ? [] : ['proxy-buffering is on']),
    ];
  },
  offenders: [
    ['Ingress/gateway', 'metadata.annotations', {}],
    ['ConfigMap/gateway', 'data.PROXY_TIMEOUT_MS', '90000'],
    ['ConfigMap/gateway', 'data.PROXY_TIMEOUT_MS', '60000'],
    ['ConfigMap/holdfast', 'data.SETTLEMENT_TIMEOUT_MS', '75000'],
  ],
};

export const settingsChecks: readonly Check[] = [
  known,
  complete,
  secret,
  common,
  everyProcess,
  equal,
  ports,
  addresses,
  rateLimits,
  connections,
  streams,
];
