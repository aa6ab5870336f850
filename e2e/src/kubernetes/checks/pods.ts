import type { Check } from '../check.js';
import { containersOf, ofKind, withSpec, workloadsOf, type Container, type Manifest, type Workload } from '../manifest.js';
import { processesOf, servesNothing } from '../processes.js';

const pod = 'spec.template.spec';
const container = `${pod}.containers.0`;

/** One line for each container for which the question is not answered with yes. */
function containersWithout(manifests: readonly Manifest[], isRight: (container: Container) => boolean): readonly string[] {
  return workloadsOf(manifests).flatMap((workload) =>
    containersOf(workload)
      .filter((one) => !isRight(one))
      .map((one) => `${workload.kind} ${workload.name}, container ${one.name}`),
  );
}

function podsWithout(manifests: readonly Manifest[], isRight: (workload: Workload) => boolean): readonly string[] {
  return workloadsOf(manifests)
    .filter((workload) => !isRight(workload))
    .map(({ kind, name }) => `${kind} ${name}`);
}

function servingDeployments(manifests: readonly Manifest[]): readonly Manifest[] {
  return ofKind(manifests, 'Deployment').filter(({ metadata }) => !servesNothing(metadata.name));
}

/** Our processes that may have several replicas; the sandbox never has. */
export function scaledDeployments(manifests: readonly Manifest[]): readonly Manifest[] {
  return servingDeployments(manifests).filter(({ metadata }) => metadata.name !== 'sandbox');
}

function imageTag(image: string): string | undefined {
  return /:([^:/]+)$/.exec(image)?.[1];
}

const images: Check = {
  fact: 'every image has the tag of a version',
  find: (manifests, { version }) => [
    ...containersWithout(manifests, ({ image }) => imageTag(image) === version),
    ...withSpec(manifests)
      .flatMap(({ spec: { image, imageName } }) => [image, imageName].filter((one) => one !== undefined))
      .filter((image) => !/^\d/.test(imageTag(image) ?? '')),
  ],
  offenders: [
    ['Deployment/orders', `${container}.image`, 'registry.example:5000/holdfast/orders'],
    ['Deployment/orders', `${container}.image`, 'holdfast/orders:latest'],
    ['Cluster/holdfast-postgres', 'spec.imageName', 'postgresql:latest'],
    ['RabbitmqCluster/holdfast-rabbitmq', 'spec.image', 'rabbitmq'],
  ],
};

const migrationName: Check = {
  fact: "the migration Job's name has the version of its image",
  find: (manifests) =>
    workloadsOf(ofKind(manifests, 'Job'))
      .filter(({ name, pod: { containers } }) => name !== `migrate-${imageTag(containers[0]?.image ?? '')?.replaceAll('.', '-')}`)
      .map(({ name }) => name),
  offenders: [['Job/migrate-0-1-0', `${container}.image`, 'holdfast/migrate:0.2.0']],
};

const probes: Check = {
  fact: 'every process is probed on its metrics port',
  find: (manifests) =>
    containersWithout(servingDeployments(manifests), ({ startupProbe, livenessProbe, readinessProbe }) =>
      [
        [startupProbe, '/livez'],
        [livenessProbe, '/livez'],
        [readinessProbe, '/readyz'],
      ].every(([probe, path]) => {
        const { httpGet } = (probe ?? {}) as NonNullable<typeof readinessProbe>;
        return httpGet?.path === path && httpGet?.port === 'metrics';
      }),
    ),
  offenders: [
    ['Deployment/orders', `${container}.startupProbe`],
    ['Deployment/orders', `${container}.livenessProbe.httpGet.path`, '/readyz'],
    ['Deployment/orders', `${container}.readinessProbe.httpGet.port`, 'http'],
  ],
};

const resources: Check = {
  fact: 'every container has requests and limits',
  find: (manifests) =>
    containersWithout(manifests, ({ resources: { requests, limits } = {} }) =>
      [requests?.cpu, requests?.memory, limits?.cpu, limits?.memory].every((amount) => amount !== undefined),
    ),
  offenders: [
    ['Deployment/orders', `${container}.resources`],
    ['Deployment/orders', `${container}.resources.limits.memory`],
  ],
};

const privileges: Check = {
  fact: 'no container has a privilege',
  find: (manifests) => [
    ...containersWithout(
      manifests,
      ({ securityContext: context }) =>
        context?.allowPrivilegeEscalation === false &&
        context.readOnlyRootFilesystem === true &&
        context.privileged !== true &&
        context.capabilities?.drop?.includes('ALL') === true &&
        context.capabilities.add === undefined,
    ),
    ...podsWithout(
      manifests,
      ({ pod: { securityContext: context, ...spec } }) =>
        context?.runAsNonRoot === true &&
        context.seccompProfile?.type === 'RuntimeDefault' &&
        spec.automountServiceAccountToken === false &&
        [spec.hostNetwork, spec.hostPID, spec.hostIPC].every((shared) => shared !== true),
    ),
  ],
  offenders: [
    ['Deployment/orders', `${container}.securityContext.privileged`, true],
    ['Deployment/orders', `${container}.securityContext.allowPrivilegeEscalation`],
    ['Deployment/orders', `${container}.securityContext.readOnlyRootFilesystem`, false],
    ['Deployment/orders', `${container}.securityContext.capabilities`, { drop: ['ALL'], add: ['NET_ADMIN'] }],
    ['Deployment/orders', `${pod}.securityContext.runAsNonRoot`],
    ['Deployment/orders', `${pod}.securityContext.seccompProfile`],
    ['Deployment/orders', `${pod}.automountServiceAccountToken`],
    ['Deployment/orders', `${pod}.hostNetwork`, true],
    ['Job/migrate-0-1-0', `${container}.securityContext`],
  ],
};

const podSecurity: Check = {
  fact: 'the namespace enforces the restricted pod security standard',
  find: (manifests) =>
    ofKind(manifests, 'Namespace')
      .filter(({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted')
      .map(({ metadata }) => metadata.name),
  offenders: [['Namespace/holdfast', 'metadata.labels', { 'pod-security.kubernetes.io/enforce': 'baseline' }]],
};

const spread: Check = {
  fact: 'replicas are spread over nodes and zones',
  find: (manifests) =>
    podsWithout(scaledDeployments(manifests), ({ labels, pod: { topologySpreadConstraints = [] } }) =>
      ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].every((key) =>
        topologySpreadConstraints.some(
          ({ topologyKey, labelSelector }) =>
            topologyKey === key &&
            Object.entries(labelSelector.matchLabels ?? {}).every(([label, value]) => labels[label] === value),
        ),
      ),
    ),
  offenders: [
    ['Deployment/orders', `${pod}.topologySpreadConstraints`],
    ['Deployment/orders', `${pod}.topologySpreadConstraints.0.labelSelector.matchLabels`, { app: 'orders' }],
  ],
};

const replicas: Check = {
  fact: 'either a Deployment or its autoscaler sets the number of replicas, never both',
  find: (manifests) => {
    const scaled = new Set(ofKind(manifests, 'HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef?.name));
    return ofKind(manifests, 'Deployment')
      .filter(({ metadata, spec }) => scaled.has(metadata.name) === (spec.replicas !== undefined))
      .map(({ metadata }) => metadata.name);
  },
  offenders: [
    ['Deployment/orders', 'spec.replicas', 2],
    ['Deployment/payments', 'spec.replicas'],
  ],
};

const stopping: Check = {
  fact: 'a pod may stop as long as its process takes',
  find: (manifests) =>
    processesOf(manifests)
      .filter(({ name }) => !servesNothing(name))
      .flatMap(({ name, values }) => {
        const needsMs = Number(values.get('SHUTDOWN_DELAY_MS')) + Number(values.get('SHUTDOWN_TIMEOUT_MS'));
        const graceSeconds = workloadsOf(manifests).find((one) => one.name === name)?.pod.terminationGracePeriodSeconds ?? 30;
        return needsMs + 5_000 < graceSeconds * 1_000 ? [] : [name];
      }),
  offenders: [
    ['ConfigMap/holdfast', 'data.SHUTDOWN_TIMEOUT_MS', '40000'],
    ['Deployment/orders', `${pod}.terminationGracePeriodSeconds`],
  ],
};

export const podChecks: readonly Check[] = [
  images,
  migrationName,
  probes,
  resources,
  privileges,
  podSecurity,
  spread,
  replicas,
  stopping,
];
