import type { ListedSetting } from '@holdfast/process/config';
import type { ProgramSettings } from './settings-page.js';

const howToPin = 'With @sha256:… behind the tag it is pinned: docs/operations/images.md.';

/** What docker-compose.yml itself reads, beside the settings of the processes. */
const composeVariables = [
  ['COMPOSE_PROFILES', 'sandbox', 'Starts the sandbox, which plays the providers and the ledger network. Empty with real ones.'],
  ['HOLDFAST_VERSION', '0.1.0', 'The version of the images.'],
  ['GATEWAY_PORT', '8080', 'The port of the API on this machine. Change PUBLIC_URL with it.'],
  ['GRAFANA_PORT', '3000', 'The port of Grafana on this machine.'],
  ['PROMETHEUS_PORT', '9090', 'The port of Prometheus on this machine. Change DOCS_URL with it.'],
  ['ALERTMANAGER_PORT', '9093', 'The port of Alertmanager on this machine.'],
  [
    'DOCS_URL',
    'http://localhost:9090/user',
    'Where the folder docs can be read: the links of alerts to their runbooks begin with it.',
  ],
  ['NODE_IMAGE', 'node:24.11.1-bookworm-slim', `The image that ours are built on. ${howToPin}`],
  ['POSTGRES_IMAGE', 'postgres:18.1', `The image of Postgres. ${howToPin}`],
  ['RABBITMQ_IMAGE', 'rabbitmq:4.1.4-management', `The image of RabbitMQ. ${howToPin}`],
  ['PROMETHEUS_IMAGE', 'prom/prometheus:v3.7.3', `The image of Prometheus. ${howToPin}`],
  ['ALERTMANAGER_IMAGE', 'prom/alertmanager:v0.28.1', `The image of Alertmanager. ${howToPin}`],
  ['GRAFANA_IMAGE', 'grafana/grafana:12.2.1', `The image of Grafana. ${howToPin}`],
] as const;

const notice = [
  '# Every setting of every process. Copy this file and change the copy: cp .env.example .env. Git ignores .env, docker compose reads it.',
  '# `npm run generate` writes this file from the schemas that read the settings. Lines that begin with "#NAME=" show defaults.',
  '# A process without a container reads its environment: node --env-file=.env dist/orders.js.',
  '# A secret can be given as a file: NAME_FILE=/path. docker-compose.yml does so, so that no secret belongs into .env.',
];

/** The text of .env.example: settings of several processes once, then the settings of each process. */
export function envExample(discovered: readonly ProgramSettings[]): string {
  // `npm start` describes settings for a single program, so the words of the processes come first.
  const programs = [...discovered.filter(isProcess), ...discovered.filter((program) => !isProcess(program))];
  const uses = usesOf(programs);
  const shared = [...uses].filter(([, used]) => used.length > 1);
  const sections = [
    section('docker compose', composeVariables.map(composeLines)),
    section(
      'Settings of several processes',
      shared.map(([name, used]) => settingLines(name, used)),
    ),
    ...programs.map(({ program, settings }) => section(program, ownLines(settings, uses))),
  ];
  return `${[notice.join('\n'), ...sections.filter((text) => text !== '')].join('\n\n')}\n`;
}

function isProcess({ program }: ProgramSettings): boolean {
  return program !== 'all-in-one';
}

/** A setting as one process declares it. */
type Use = { readonly program: string; readonly setting: ListedSetting };
type Uses = ReadonlyMap<string, readonly Use[]>;

function usesOf(programs: readonly ProgramSettings[]): Uses {
  const uses = new Map<string, readonly Use[]>();
  for (const { program, settings } of programs) {
    for (const setting of settings) uses.set(setting.name, [...(uses.get(setting.name) ?? []), { program, setting }]);
  }
  return uses;
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : [`# --- ${title} ---`, ...entries].join('\n\n');
}

function composeLines([name, value, description]: (typeof composeVariables)[number]): string {
  return [`# ${description}`, name === 'COMPOSE_PROFILES' ? `${name}=${value}` : `#${name}=${value}`].join('\n');
}

function ownLines(settings: readonly ListedSetting[], uses: Uses): readonly string[] {
  return settings.flatMap(({ name }) => {
    const used = uses.get(name) ?? [];
    return used.length === 1 ? [settingLines(name, used)] : [];
  });
}

function settingLines(name: string, used: readonly Use[]): string {
  const [first] = used;
  if (first === undefined) return '';
  const { description, expected, isSecret } = first.setting;
  const facts = [
    `${sentence(description)} Expected: ${expected}.`,
    ...(used.length > 1 ? [`Read by ${used.map(({ program }) => program).join(', ')}.`] : []),
    ...requirement(used),
    ...(isSecret ? [`Secret; as a file: ${name}_FILE.`] : []),
  ];
  return [...facts.map((fact) => `# ${fact}`), `#${name}=${defaultOf(used)}`].join('\n');
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function requirement(used: readonly Use[]): readonly string[] {
  const required = used.filter(({ setting }) => setting.isRequired).map(({ program }) => program);
  const defaults = new Set(used.map(({ setting }) => setting.defaultText));
  return [
    ...(required.length > 0 ? [`Required by ${required.join(', ')}.`] : []),
    ...(defaults.size > 1 ? [`By default ${used.flatMap(defaultFact).join(', ')}.`] : []),
  ];
}

function defaultFact({ program, setting: { defaultText } }: Use): readonly string[] {
  return defaultText === undefined ? [] : [`${defaultText} (${program})`];
}

/** The default where all processes have the same one. */
function defaultOf(used: readonly Use[]): string {
  const defaults = new Set(used.map(({ setting }) => setting.defaultText));
  const [only] = defaults;
  return defaults.size === 1 ? (only ?? '') : '';
}
