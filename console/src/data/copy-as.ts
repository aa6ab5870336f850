import { operations, type OperationId } from '@holdfast/sdk';

/** A request as a person could repeat it: the operation, its path parameters in order, and what it is given. */
export type Request = {
  readonly operation: OperationId;
  readonly params?: readonly string[];
  readonly input?: Readonly<Record<string, unknown>>;
};

/** Where the request goes. The marketplace is named with the master key only. */
export type Target = { readonly origin: string; readonly marketplaceId?: string | undefined };

export type Spelling = 'curl' | 'SDK' | 'CLI';

/** The CLI has commands for the resources that marketplaces work with. */
export function spellingsOf({ operation }: Request): readonly Spelling[] {
  return commandOf(operation) === undefined ? ['curl', 'SDK'] : ['curl', 'SDK', 'CLI'];
}

/** The key is never written out: `HOLDFAST_KEY` of the shell holds it. */
export function copyAs(spelling: Spelling, request: Request, target: Target): string {
  if (spelling === 'curl') return asCurl(request, target);
  return spelling === 'SDK' ? asSdk(request, target) : asCli(request, target);
}

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly query?: readonly string[];
  readonly hasBody?: boolean;
  readonly pages?: string;
  readonly isIdempotent?: boolean;
  readonly repeatedInBody?: readonly string[];
};

function asCurl(request: Request, { origin, marketplaceId }: Target): string {
  const { method, hasBody = false, isIdempotent = false }: Operation = operations[request.operation];
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${origin}${addressOf(request)}`)}`,
    '-H "Authorization: Bearer $HOLDFAST_KEY"',
    ...(marketplaceId === undefined ? [] : [`-H 'X-Marketplace-Id: ${marketplaceId}'`]),
    ...(isIdempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(bodyOf(request)))}`] : []),
  ].join(' \\\n  ');
}

function addressOf({ operation, params = [], input = {} }: Request): string {
  const { path, query = [] }: Operation = operations[operation];
  const names = namesIn(path);
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[names.indexOf(name)] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (query.includes(name)) search.append(name, textOf(value));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

function bodyOf({ operation, params = [], input = {} }: Request): Readonly<Record<string, unknown>> {
  const { path, query = [], repeatedInBody = [] }: Operation = operations[operation];
  const names = namesIn(path);
  const own = Object.entries(input).filter(([name]) => !query.includes(name));
  return Object.fromEntries([...own, ...repeatedInBody.map((name) => [name, params[names.indexOf(name)]] as const)]);
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function asSdk({ operation, params = [], input = {} }: Request, { origin, marketplaceId }: Target): string {
  const { pages }: Operation = operations[operation];
  const given = [...params.map((param) => JSON.stringify(param)), ...(isEmpty(input) ? [] : [JSON.stringify(input, null, 2)])];
  const call = `holdfast.${operation}(${given.join(', ')})`;
  const options = [
    'apiKey: process.env.HOLDFAST_KEY',
    `baseUrl: ${JSON.stringify(origin)}`,
    ...(marketplaceId === undefined ? [] : [`marketplaceId: ${JSON.stringify(marketplaceId)}`]),
  ];
  return [
    `import { Holdfast } from '@holdfast/sdk';`,
    '',
    `const holdfast = new Holdfast({ ${options.join(', ')} });`,
    pages === undefined ? `console.log(await ${call});` : `for await (const record of ${call}) console.log(record);`,
  ].join('\n');
}

/** The CLI reads the key from HOLDFAST_KEY itself. */
function asCli({ operation, params = [], input = {} }: Request, { origin, marketplaceId }: Target): string {
  const options = Object.entries(input).map(([name, value]) => optionOf(name, value));
  const marketplace = marketplaceId === undefined ? [] : [`--marketplace ${marketplaceId}`];
  const words = [commandOf(operation) ?? '', ...params.map(quoted), ...options, `--api ${quoted(origin)}`];
  return `npm run holdfast -- ${[...words, ...marketplace].join(' ')}`;
}

/** The groups of commands, by resource. */
const groups: Readonly<Record<string, string>> = {
  orders: 'orders',
  users: 'users',
  balances: 'balances',
  disputes: 'disputes',
  events: 'events',
  summary: 'summary',
  topups: 'topups',
  withdrawals: 'withdrawals',
  wallets: 'wallets',
  webhookEndpoints: 'webhooks',
  webhookDeliveries: 'deliveries',
  apiKeys: 'keys',
  marketplaces: 'marketplaces',
};

function commandOf(operation: OperationId): string | undefined {
  if (operation === 'statements.get') return 'statements';
  const [resource = '', method = ''] = operation.split('.');
  const group = groups[resource];
  return group === undefined ? undefined : `${group} ${kebabCase(method)}`;
}

function optionOf(name: string, value: unknown): string {
  const flag = `--${kebabCase(name)}`;
  return value === true ? flag : `${flag} ${quoted(textOf(value))}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** For a shell of Unix. Words that need no quotes get none. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function isEmpty(input: object): boolean {
  return Object.keys(input).length === 0;
}
