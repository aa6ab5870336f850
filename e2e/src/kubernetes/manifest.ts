/** The fields of rendered manifests that the checks read. The schemas have been checked before, so their shape is known. */
export type Labels = Readonly<Record<string, string>>;

export type KeyItem = { readonly key: string; readonly path: string };
export type SecretSource = { readonly name: string; readonly items?: readonly KeyItem[] };

export type Volume = {
  readonly name: string;
  readonly projected?: { readonly sources: readonly { readonly secret?: SecretSource }[] };
  readonly secret?: { readonly secretName: string; readonly items?: readonly KeyItem[] };
  readonly emptyDir?: object;
  readonly persistentVolumeClaim?: { readonly claimName: string };
};

type Probe = { readonly httpGet?: { readonly path: string; readonly port: string | number } };
type Amounts = { readonly cpu?: string; readonly memory?: string };

type SecurityContext = {
  readonly runAsNonRoot?: boolean;
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  readonly seccompProfile?: { readonly type: string };
};

export type Container = {
  readonly name: string;
  readonly image: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts };
  readonly securityContext?: SecurityContext;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
};

export type PodSpec = {
  readonly automountServiceAccountToken?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string; readonly labelSelector: Selector }[];
  readonly securityContext?: SecurityContext;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
};

export type Selector = { readonly matchLabels?: Labels };

export type Peer = {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
};

export type NetworkRule = {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number; readonly endPort?: number }[];
};

type Named = { readonly name: string };

/** A union of what the kinds have, because a check looks at the fields of the kinds that it selects. */
type Spec = {
  readonly replicas?: number;
  /** Only in the operators' resources. */
  readonly image?: string;
  readonly imageName?: string;
  readonly selector?: Selector & Labels;
  readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort: string | number }[];
  readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly podSelector?: Selector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly NetworkRule[];
  readonly egress?: readonly NetworkRule[];
  readonly tls?: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
  readonly rules?: readonly { readonly host: string; readonly http: { readonly paths: readonly IngressPath[] } }[];
  readonly postgresql?: { readonly parameters?: Labels };
  readonly bootstrap?: { readonly initdb?: { readonly secret?: Named }; readonly recovery?: object };
  readonly plugins?: readonly BackupPlugin[];
  readonly externalClusters?: readonly { readonly name: string; readonly plugin: BackupPlugin }[];
  readonly cluster?: Named;
  readonly endpoints?: readonly { readonly port: string; readonly honorLabels?: boolean }[];
  /** Of Alertmanager. */
  readonly configSecret?: string;
  readonly volumes?: readonly Volume[];
  readonly volumeMounts?: Container['volumeMounts'];
  readonly securityContext?: SecurityContext;
  readonly configuration?: { readonly s3Credentials?: Readonly<Record<string, { readonly name: string; readonly key: string }>> };
};

type BackupPlugin = { readonly parameters: { readonly barmanObjectName: string; readonly serverName?: string } };

type IngressPath = { readonly backend: { readonly service: { readonly name: string; readonly port: Named } } };

export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Labels;
    readonly annotations?: Labels;
  };
  readonly spec: Spec;
  readonly data?: Labels;
  readonly stringData?: Labels;
};

export type Workload = { readonly name: string; readonly kind: string; readonly labels: Labels; readonly pod: PodSpec };

/** Manifests with a spec: all but a few, such as ConfigMaps. */
export function withSpec(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.filter((manifest) => 'spec' in manifest);
}

export function ofKind(manifests: readonly Manifest[], kind: string): readonly Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

/** Deployments and Jobs: everything with one of our pod templates. */
export function workloadsOf(manifests: readonly Manifest[]): readonly Workload[] {
  return manifests.flatMap(({ kind, metadata, spec }) =>
    ['Deployment', 'Job'].includes(kind) && spec.template !== undefined
      ? [{ name: metadata.name, kind, labels: spec.template.metadata.labels, pod: spec.template.spec }]
      : [],
  );
}

export function containersOf({ pod }: Workload): readonly Container[] {
  return [...(pod.initContainers ?? []), ...pod.containers];
}

/** The hash that kustomize adds to the name of a generated ConfigMap. */
const contentHash = /-[0-9a-z]{10}$/;

export function nameWithoutHash(name: string): string {
  return name.replace(contentHash, '');
}
