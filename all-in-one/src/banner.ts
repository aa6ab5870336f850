import { restoredNotice, type RestoredMark } from './backup/index.js';
import type { Settings } from './config.js';
import { secretsKept, type Secrets } from './data-folder/index.js';
import { productVersion } from './product.js';
import { secondsSince } from './progress.js';
import { hostOf } from './provide-database.js';
import type { RateLimitSettings, Started } from './startup-context.js';

export type BannerFacts = Omit<Started, 'url'> & {
  /** Where the API and its reference are served. */
  readonly origin: string;
  readonly baseUrl: string;
  readonly folder: string;
  readonly config: Settings;
  readonly secrets: Secrets;
  /** Set where payouts are stopped until a person accepts a restore. */
  readonly restored: RestoredMark | undefined;
};

const labelWidth = 11;

/** The text that is printed once everything runs; it ends with a command to paste, and after a restore with how to accept it. */
export function bannerOf(facts: BannerFacts): string {
  const { config, baseUrl, folder, databaseUrl, amqpUrl, sandboxUrl, restored } = facts;
  const kept = [...facts.kept, ...secretsKept(config)];
  return [
    '',
    `Holdfast ${productVersion} is ready after ${secondsSince(0)} s.`,
    '',
    row('API', baseUrl),
    row('Key', config.masterKey === undefined ? facts.secrets.masterKey : 'the MASTER_KEY that you have set'),
    row('', 'the master key: opens every route, and makes API keys for marketplaces (see README)'),
    row('', 'send it as "Authorization: Bearer <key>"'),
    ...(config.masterKey === undefined ? [row('', '"npm run key" shows it again')] : []),
    ...(restored === undefined ? [] : [row('Payouts', 'STOPPED after a restore, until a person accepts it: see below')]),
    row('Limit', limitText(facts.rateLimit)),
    ...consoleRows(facts),
    row('Reference', `${facts.origin}/docs`),
    row('Database', `Postgres at ${hostOf(databaseUrl)}`),
    row('Messages', amqpUrl === undefined ? 'within this process, stored in the database' : `RabbitMQ at ${hostOf(amqpUrl)}`),
    ...(sandboxUrl === undefined ? [] : [row('Sandbox', `${sandboxUrl} simulates the providers and the ledger network`)]),
    ...metricsRows(facts.metrics),
    row('Data', folder),
    ...(kept.length === 0 ? [] : [row('', `holds ${listOf(kept)}; losing it loses them`)]),
    row('Demo', `buyer  ${facts.demo.buyerId}`),
    row('', `seller ${facts.demo.sellerId}`),
    row('Stop', `Ctrl-C, or "kill ${process.pid}"; the next start continues with the same data`),
    '',
    'Paste this to credit the demo buyer and see the new balance:',
    '',
    creditCommand(facts),
    '',
    ...(restored === undefined ? [] : [restoredNotice(restored), '']),
  ].join('\n');
}

/** An address with a code signs in, once. With separate processes there is none, and the page asks for a key. */
function consoleRows({ consoleUrl }: BannerFacts): readonly string[] {
  if (consoleUrl === undefined) return [];
  const how = consoleUrl.includes('#') ? 'signs you in: once, and within 10 minutes' : 'sign in with an API key';
  return [row('Console', consoleUrl), row('', how)];
}

function limitText({ rateLimitMax, rateLimitWindowSeconds }: RateLimitSettings): string {
  if (rateLimitMax === 0) return 'none (RATE_LIMIT_MAX is 0)';
  return `${rateLimitMax.toLocaleString('en')} requests in ${rateLimitWindowSeconds} s per key or address (RATE_LIMIT_MAX)`;
}

/** With one process for everything its name would say nothing. */
function metricsRows(metrics: BannerFacts['metrics']): readonly string[] {
  const isOne = metrics.length === 1;
  return metrics.map(({ process: name, url }, index) =>
    row(index === 0 ? 'Metrics' : '', isOne ? `${url}/metrics` : `${url}/metrics of ${name}`),
  );
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`;
}

function listOf(things: readonly string[]): string {
  return things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} and ${things.at(-1) ?? ''}`;
}

/** Ids and generated keys need no quoting in a shell. A key from the environment is a secret of its owner and is not printed. */
function creditCommand({ baseUrl, config, secrets, demo }: BannerFacts): string {
  const key = config.masterKey === undefined ? secrets.masterKey : '$MASTER_KEY';
  return [
    `curl -s -X POST ${baseUrl}/users/${demo.buyerId}/balance/credit \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" -d '{"amount":"25.00"}'`,
  ].join('\n');
}
