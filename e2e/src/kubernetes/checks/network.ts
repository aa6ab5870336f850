import type { Check, Context } from '../check.js';
import { ofKind, type Manifest, type NetworkRule, type Peer, type Selector } from '../manifest.js';
import { processesOf, servesNothing, urlOf } from '../processes.js';

/** Settings with the addresses of providers and of the ledger network, which are outside of the cluster in production. */
const outsideUrls = ['ESCROW_PROVIDER_URL', 'LEDGER_HORIZON_URL', 'LEDGER_RPC_URL', 'PAYMENT_PROVIDER_URL'];
/** The setting of a process that calls receivers of webhooks, which may have any port. */
const outboundWebhooks = 'WEBHOOK_ALLOWED_NETWORKS';
const receivers = ['internet:1-65535', '2000::/3:1-65535'];
const [postgres, rabbitmq] = ['holdfast-postgres:5432', 'holdfast-rabbitmq:5672'];

/** Prometheus sends alerts; the replicas of Alertmanager share what was sent, and call a webhook outside. */
const alerting = ['monitoring -> alertmanager:9093', 'alertmanager -> alertmanager:9094', 'alertmanager -> internet:443'];

/** `gateway -> orders:8083`, from the settings of the processes: who has an address calls it. */
function expectedArrows(manifests: readonly Manifest[], { settings }: Context): readonly string[] {
  const arrows = processesOf(manifests).flatMap(({ name, values, container }) => {
    const names = (settings.get(name) ?? []).map((one) => one.name);
    const hosts = [...values].flatMap(([setting, value]) => (setting === 'DATABASE_URL' ? [] : (urlOf(value)?.host ?? [])));
    const targets = [
      ...hosts.filter((host) => !host.includes('.')),
      ...(names.includes('DATABASE_URL') ? [postgres] : []),
      ...(names.includes('AMQP_URL') ? [rabbitmq] : []),
      ...(outsideUrls.some((url) => names.includes(url)) ? ['internet:443'] : []),
      ...(names.includes(outboundWebhooks) ? receivers : []),
    ];
    const metrics = container.ports?.find((port) => port.name === 'metrics')?.containerPort;
    const scrape = servesNothing(name) ? [] : [`monitoring -> ${name}:${metrics}`];
    return [...targets.map((target) => `${name} -> ${target}`), ...scrape];
  });
  return sorted([...arrows, ...alerting, `migrate -> ${postgres}`, 'ingress-nginx -> gateway:8080']);
}

function sorted(arrows: readonly string[]): readonly string[] {
  return [...new Set(arrows)].sort();
}

function nameOf({ matchLabels = {} }: Selector): string {
  const known = ['app.kubernetes.io/name', 'cnpg.io/cluster', 'kubernetes.io/metadata.name'];
  const [name] = known.flatMap((label) => matchLabels[label] ?? []);
  // Another label would select other pods than the name says, because the operators' pods have their own labels.
  return Object.keys(matchLabels).every((label) => known.includes(label)) ? (name ?? 'everything') : JSON.stringify(matchLabels);
}

function peerName({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock !== undefined) return ipBlock.cidr === '0.0.0.0/0' ? 'internet' : ipBlock.cidr;
  return nameOf(namespaceSelector ?? podSelector ?? {});
}

function peersAndPorts(
  peers: readonly Peer[] = [{}],
  { ports = [{ port: 0 }] }: NetworkRule,
): readonly (readonly [string, string])[] {
  const nameOfPort = ({ port, endPort }: (typeof ports)[number]): string =>
    endPort === undefined ? `${port}` : `${port}-${endPort}`;
  return peers.flatMap((peer) => ports.map((port) => [peerName(peer), nameOfPort(port)] as const));
}

type Policy = { readonly subject: string; readonly spec: Manifest['spec'] };

/** Policies of all pods (deny, DNS) have an empty selector and are checked by themselves. */
function policiesOf(manifests: readonly Manifest[]): readonly Policy[] {
  return ofKind(manifests, 'NetworkPolicy')
    .filter(({ spec }) => spec.podSelector?.matchLabels !== undefined)
    .map(({ spec }) => ({ subject: nameOf(spec.podSelector ?? {}), spec }));
}

/** What the operators' pods do among themselves is theirs. */
const ofOperators = /^(holdfast-postgres|holdfast-rabbitmq|cnpg-system) ->|^monitoring -> holdfast-(postgres|rabbitmq):/;

function differences(found: readonly string[], expected: readonly string[], direction: string): readonly string[] {
  return [
    ...expected.filter((arrow) => !found.includes(arrow)).map((arrow) => `${direction} is missing: ${arrow}`),
    ...found.filter((arrow) => !expected.includes(arrow)).map((arrow) => `${direction} is not needed: ${arrow}`),
  ];
}

const arrows: Check = {
  fact: 'the network allows the arrows that the settings need, at both ends, and no others',
  find: (manifests, context) => {
    const expected = expectedArrows(manifests, context);
    const policies = policiesOf(manifests);
    const egress = policies.flatMap(({ subject, spec }) =>
      (spec.egress ?? []).flatMap((rule) => peersAndPorts(rule.to, rule).map(([to, port]) => `${subject} -> ${to}:${port}`)),
    );
    const ingress = policies.flatMap(({ subject, spec }) =>
      (spec.ingress ?? []).flatMap((rule) =>
        peersAndPorts(rule.from, rule).map(([from, port]) => `${from} -> ${subject}:${port}`),
      ),
    );
    const ours = (all: readonly string[]): readonly string[] => sorted(all.filter((arrow) => !ofOperators.test(arrow)));
    return [
      ...differences(
        ours(egress),
        expected.filter((arrow) => !/^(monitoring|ingress-nginx) ->/.test(arrow)),
        'egress',
      ),
      ...differences(
        ours(ingress),
        expected.filter((arrow) => !/ -> (internet|2000::\/3):/.test(arrow)),
        'ingress',
      ),
    ];
  },
  offenders: [
    ['NetworkPolicy/orders', 'spec.egress.0.ports.0.port', 8082],
    ['NetworkPolicy/orders', 'spec.egress.0.ports'],
    ['NetworkPolicy/orders', 'spec.egress.0.to'],
    ['NetworkPolicy/orders', 'spec.ingress.0.from.0.podSelector.matchLabels', { app: 'gateway' }],
    ['NetworkPolicy/gateway', 'spec.ingress.0.from.0', { podSelector: {} }],
    ['NetworkPolicy/postgres', 'spec.ingress.0.from.0.podSelector.matchLabels', { 'app.kubernetes.io/name': 'sandbox' }],
    [
      'NetworkPolicy/orders',
      'spec.egress.2.to.0.podSelector.matchLabels',
      { 'cnpg.io/cluster': 'holdfast-postgres', 'app.kubernetes.io/part-of': 'holdfast' },
    ],
    ['NetworkPolicy/alertmanager', 'spec.ingress.0.ports.0.port', 9094],
    ['NetworkPolicy/alertmanager', 'spec.egress.1.ports'],
    ['NetworkPolicy/notifications', 'spec.egress.2'],
    ['NetworkPolicy/notifications', 'spec.egress.2.ports.0.endPort'],
    ['NetworkPolicy/orders', 'spec.egress.0.ports.0.endPort', 65_535],
    ['ConfigMap/orders', 'data.PAYMENTS_URL', 'http://payments:8085'],
    ['NetworkPolicy/operator', 'spec.egress.0.to.0.podSelector', {}],
    ['NetworkPolicy/operator', 'spec.ingress', [{}]],
  ],
};

const denied: Check = {
  fact: 'everything else is denied, in both directions',
  find: (manifests) => {
    const ofAllPods = ofKind(manifests, 'NetworkPolicy').filter(({ spec }) => spec.podSelector?.matchLabels === undefined);
    const isDenied = (type: string): boolean =>
      ofAllPods.some(
        ({ spec }) => spec.policyTypes?.includes(type) === true && spec.ingress === undefined && spec.egress === undefined,
      );
    const allowed = ofAllPods.flatMap(({ spec }) => [...(spec.egress ?? []), ...(spec.ingress ?? [])]);
    const isDns = (rule: NetworkRule): boolean =>
      peersAndPorts(rule.to, rule).every(([to, port]) => to === 'kube-system' && port === '53');
    return [
      ...['Ingress', 'Egress'].filter((type) => !isDenied(type)),
      ...allowed.filter((rule) => !isDns(rule)).map((rule) => JSON.stringify(rule)),
    ];
  },
  offenders: [
    ['NetworkPolicy/default-deny', 'spec.policyTypes', ['Ingress']],
    ['NetworkPolicy/default-deny', 'spec.egress', [{}]],
    ['NetworkPolicy/dns', 'spec.egress.0.to'],
  ],
};

/** Their pods call the API server, which has a private address in most clusters. */
const callTheApiServer = ['postgres', 'rabbitmq'];
const privateNetworks = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];

const publicOnly: Check = {
  fact: 'a way to the internet leads to no private address and to no metadata server',
  find: (manifests) =>
    ofKind(manifests, 'NetworkPolicy').flatMap(({ metadata, spec }) => {
      if (callTheApiServer.includes(metadata.name)) return [];
      const blocks = (spec.egress ?? []).flatMap(({ to = [] }) => to).flatMap(({ ipBlock }) => ipBlock ?? []);
      const ofInternet = blocks.filter(({ cidr }) => cidr === '0.0.0.0/0');
      return ofInternet.flatMap(({ except = [] }) =>
        privateNetworks.filter((network) => !except.includes(network)).map((network) => `${metadata.name} may call ${network}`),
      );
    }),
  offenders: [
    ['NetworkPolicy/notifications', 'spec.egress.2.to.0.ipBlock.except.2', '203.0.113.0/24'],
    ['NetworkPolicy/payments', 'spec.egress.5.to.0.ipBlock.except', []],
  ],
};

export const networkChecks: readonly Check[] = [arrows, denied, publicOnly];
