import type { Check } from '../check.js';
import {
  ofKind,
  withSpec,
  workloadsOf,
  type Container,
  type Labels,
  type Manifest,
  type PodSpec,
  type Volume,
  type Workload,
} from '../manifest.js';
import { scaledDeployments } from './pods.js';

const pod = 'spec.template.spec';
const container = `${pod}.containers.0`;

function isSelected(labels: Labels, selector: Labels): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value);
}

function namesOf(manifests: readonly Manifest[], kind: string): ReadonlySet<string> {
  return new Set(ofKind(manifests, kind).map(({ metadata }) => metadata.name));
}

const configMaps: Check = {
  fact: 'every referenced ConfigMap exists, and every ConfigMap is used',
  find: (manifests) => {
    const existing = namesOf(manifests, 'ConfigMap');
    const used = workloadsOf(manifests).flatMap((workload) =>
      workload.pod.containers.flatMap(({ envFrom = [] }) => envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? [])),
    );
    return [...used.filter((name) => !existing.has(name)), ...[...existing].filter((name) => !used.includes(name))];
  },
  offenders: [['Deployment/orders', `${container}.envFrom.0.configMapRef.name`, 'order']],
};

type SecretKey = { readonly name: string; readonly key: string };

function keysOfVolume({ projected, secret }: Volume): readonly SecretKey[] {
  const sources = [
    ...(projected?.sources ?? []).flatMap((source) => source.secret ?? []),
    ...(secret === undefined
      ? []
      : [{ name: secret.secretName, ...(secret.items === undefined ? {} : { items: secret.items }) }]),
  ];
  // A volume without items would mount every key of the Secret, also the keys of other processes.
  return sources.flatMap(({ name, items = [{ key: '(every key)', path: '' }] }) => items.map(({ key }) => ({ name, key })));
}

function referencedKeys({ spec }: Manifest): readonly SecretKey[] {
  const owner = spec.bootstrap?.initdb?.secret;
  return [
    ...(spec.template?.spec.volumes ?? spec.volumes ?? []).flatMap(keysOfVolume),
    ...(owner === undefined ? [] : ['username', 'password'].map((key) => ({ name: owner.name, key }))),
    ...Object.values(spec.configuration?.s3Credentials ?? {}),
    ...(spec.tls ?? []).flatMap(({ secretName }) => ['tls.crt', 'tls.key'].map((key) => ({ name: secretName, key }))),
  ];
}

const secretKeys: Check = {
  fact: 'every referenced key of a Secret is one that the example has',
  find: (manifests, { secrets }) => {
    const existing = new Set(
      secrets.flatMap(({ metadata, stringData = {} }) => Object.keys(stringData).map((key) => `${metadata.name} ${key}`)),
    );
    return withSpec(manifests)
      .flatMap(referencedKeys)
      .map(({ name, key }) => `${name} ${key}`)
      .filter((key) => !existing.has(key));
  },
  offenders: [
    ['Deployment/orders', `${pod}.volumes.0.projected.sources.0.secret.items.0.key`, 'INTERNAL'],
    ['Deployment/orders', `${pod}.volumes.0.projected.sources.0.secret.items`],
    ['Deployment/orders', `${pod}.volumes.1.secret.secretName`, 'postgres-ca'],
    ['Cluster/holdfast-postgres', 'spec.bootstrap.initdb.secret.name', 'postgres'],
    ['Ingress/gateway', 'spec.tls.0.secretName', 'tls'],
    ['Alertmanager/holdfast', 'spec.volumes.0.secret.secretName', 'alerts'],
  ],
};

type Mounting = Pick<PodSpec, 'volumes'> & { readonly containers: readonly Pick<Container, 'volumeMounts'>[] };

/** The paths of all files that Secrets put into the container. */
function mountedFiles({ volumes = [], containers }: Mounting): readonly string[] {
  return containers.flatMap(({ volumeMounts = [] }) =>
    volumeMounts.flatMap(({ name, mountPath }) =>
      volumes
        .filter((volume) => volume.name === name)
        .flatMap(({ projected, secret }) => [...(projected?.sources ?? []).map((source) => source.secret), secret])
        .flatMap((source) => (source?.items ?? []).map(({ path }) => `${mountPath}/${path}`)),
    ),
  );
}

/** The files that settings name, and those that are named within URLs. */
function namedFiles({ pod: { containers } }: Workload, manifests: readonly Manifest[]): readonly string[] {
  const used = containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef?.name));
  const settings = ofKind(manifests, 'ConfigMap').filter(({ metadata }) => used.includes(metadata.name));
  const values = [
    ...settings.flatMap(({ data = {} }) => Object.values(data)),
    ...containers.flatMap(({ env = [] }) => env.map(({ value }) => value)),
  ];
  return values.flatMap((value) => value.match(/\/run\/secrets\/[\w./-]+/g) ?? []);
}

const secretFiles: Check = {
  fact: 'the files that a process reads are exactly those that are mounted',
  find: (manifests) =>
    workloadsOf(manifests).flatMap((workload) => {
      const mounted = mountedFiles(workload.pod);
      const named = namedFiles(workload, manifests);
      // The URL that names the certificate authority is itself in a Secret.
      const isNamed = (file: string): boolean => named.includes(file) || (workload.kind === 'Job' && file.endsWith('/ca.crt'));
      return [
        ...named.filter((file) => !mounted.includes(file)).map((file) => `${workload.name} has no ${file}`),
        ...mounted.filter((file) => !isNamed(file)).map((file) => `${workload.name} does not read ${file}`),
      ];
    }),
  offenders: [
    ['Deployment/orders', `${container}.env.0.value`, '/run/secrets/holdfast/OTHER'],
    ['Deployment/orders', `${container}.volumeMounts.0.mountPath`, '/run/secret'],
    ['ConfigMap/holdfast', 'data.DATABASE_URL', 'postgres://holdfast-postgres-rw:5432/holdfast'],
  ],
};

function isRestricted(context: PodSpec['securityContext']): boolean {
  return context?.runAsNonRoot === true && context.seccompProfile?.type === 'RuntimeDefault';
}

/** The files that the configuration of Alertmanager names. */
function configuredFiles(manifests: readonly Manifest[], configSecret: string | undefined): readonly string[] {
  const secret = ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === configSecret);
  return secret?.stringData?.['alertmanager.yaml']?.match(/(?<=^ +- url_file: ).+$/gm) ?? [];
}

const alertmanagers: Check = {
  fact: 'Alertmanager has its configuration and the files that this names, and no privilege',
  find: (manifests) =>
    ofKind(manifests, 'Alertmanager').flatMap(({ spec: { configSecret, volumes = [], volumeMounts = [], securityContext } }) => {
      const named = configuredFiles(manifests, configSecret);
      const mounted = mountedFiles({ volumes, containers: [{ volumeMounts }] });
      return [
        ...(named.length > 0 ? [] : ['no configuration']),
        ...named.filter((file) => !mounted.includes(file)).map((file) => `no ${file}`),
        ...(isRestricted(securityContext) ? [] : ['privileges']),
      ];
    }),
  offenders: [
    ['Alertmanager/holdfast', 'spec.configSecret', 'alertmanager'],
    ['Alertmanager/holdfast', 'spec.volumeMounts.0.mountPath', '/run/secrets'],
    ['Alertmanager/holdfast', 'spec.securityContext.runAsNonRoot'],
  ],
};

const services: Check = {
  fact: 'every Service selects the pods of one Deployment and ports that they have',
  find: (manifests) =>
    ofKind(manifests, 'Service').flatMap(({ metadata, spec }) => {
      const selected = workloadsOf(manifests).filter(({ labels }) => isSelected(labels, spec.selector ?? {}));
      const ports = selected.flatMap((one) => one.pod.containers.flatMap((c) => c.ports ?? [])).map(({ name }) => name);
      return [
        ...(selected.length === 1 ? [] : [`${metadata.name} selects ${selected.length} workloads`]),
        ...(spec.ports ?? [])
          .filter(({ targetPort }) => !ports.includes(String(targetPort)))
          .map(({ targetPort }) => `${metadata.name} has no port ${targetPort}`),
      ];
    }),
  offenders: [
    ['Service/orders', 'spec.selector', { app: 'orders' }],
    ['Service/orders', 'spec.selector', { 'app.kubernetes.io/part-of': 'holdfast' }],
    ['Service/orders', 'spec.ports.0.targetPort', 'web'],
  ],
};

const deployments: Check = {
  fact: 'every Deployment selects its own pods only',
  find: (manifests) =>
    ofKind(manifests, 'Deployment')
      .filter(({ metadata, spec }) => {
        const selected = workloadsOf(manifests).filter(({ labels }) => isSelected(labels, spec.selector?.matchLabels ?? {}));
        return selected.map(({ name }) => name).join() !== metadata.name;
      })
      .map(({ metadata }) => metadata.name),
  offenders: [
    ['Deployment/orders', 'spec.template.metadata.labels', { app: 'orders' }],
    ['Deployment/orders', 'spec.selector.matchLabels', { 'app.kubernetes.io/part-of': 'holdfast' }],
  ],
};

const budgets: Check = {
  fact: 'every Deployment that scales has one disruption budget',
  find: (manifests) => {
    const budgetsOf = ({ labels }: Workload): number =>
      ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) => isSelected(labels, spec.selector?.matchLabels ?? {})).length;
    return workloadsOf(scaledDeployments(manifests))
      .filter((workload) => budgetsOf(workload) !== 1)
      .map(({ name }) => name);
  },
  offenders: [['PodDisruptionBudget/orders', 'spec.selector.matchLabels', { 'app.kubernetes.io/name': 'order' }]],
};

const autoscalers: Check = {
  fact: 'every autoscaler scales a Deployment',
  find: (manifests) =>
    ofKind(manifests, 'HorizontalPodAutoscaler')
      .filter(({ spec: { scaleTargetRef: target } }) => !namesOf(manifests, String(target?.kind)).has(String(target?.name)))
      .map(({ metadata }) => metadata.name),
  offenders: [['HorizontalPodAutoscaler/orders', 'spec.scaleTargetRef.name', 'order']],
};

const monitors: Check = {
  fact: 'the metrics of every process are scraped, with its own labels',
  find: (manifests) => {
    const [monitor] = ofKind(manifests, 'ServiceMonitor');
    const [endpoint] = monitor?.spec.endpoints ?? [];
    const missed = ofKind(manifests, 'Service').filter(
      ({ metadata, spec }) =>
        !isSelected(metadata.labels ?? {}, monitor?.spec.selector?.matchLabels ?? {}) ||
        spec.ports?.some(({ name }) => name === endpoint?.port) !== true,
    );
    return [...missed.map(({ metadata }) => metadata.name), ...(endpoint?.honorLabels === true ? [] : ['honorLabels'])];
  },
  offenders: [
    ['ServiceMonitor/holdfast', 'spec.endpoints.0.port', 'http-metrics'],
    ['ServiceMonitor/holdfast', 'spec.endpoints.0.honorLabels'],
    ['Service/orders', 'metadata.labels', {}],
  ],
};

const ingresses: Check = {
  fact: 'the Ingress leads to a Service and has a certificate for its host',
  find: (manifests) =>
    ofKind(manifests, 'Ingress').flatMap(({ spec: { rules = [], tls = [] } }) => {
      const hosts = tls.flatMap((one) => one.hosts);
      const backends = rules.flatMap((rule) => rule.http.paths.map(({ backend }) => backend.service));
      const isKnown = (service: (typeof backends)[number]): boolean =>
        ofKind(manifests, 'Service').some(
          ({ metadata, spec }) =>
            metadata.name === service.name && spec.ports?.some(({ name }) => name === service.port.name) === true,
        );
      return [
        ...rules.filter(({ host }) => !hosts.includes(host)).map(({ host }) => `${host} has no certificate`),
        ...backends.filter((service) => !isKnown(service)).map(({ name }) => `there is no Service ${name}`),
      ];
    }),
  offenders: [
    ['Ingress/gateway', 'spec.rules.0.host', 'other.example'],
    ['Ingress/gateway', 'spec.rules.0.http.paths.0.backend.service.port.name', 'https'],
  ],
};

export const referenceChecks: readonly Check[] = [
  configMaps,
  secretKeys,
  secretFiles,
  alertmanagers,
  services,
  deployments,
  budgets,
  autoscalers,
  monitors,
  ingresses,
];
