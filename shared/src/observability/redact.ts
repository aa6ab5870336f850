const hidden = '[hidden]';
const depthMax = 8;
const itemsMax = 100;
const textLengthMax = 8_000;
const knownNamesMax = 1_000;

/** Names of fields whose value nobody may read in a log, however they are spelled. */
const sensitiveWords = [
  'authorization',
  'cookie',
  'password',
  'passphrase',
  'secret',
  'seed',
  'mnemonic',
  'token',
  'signature',
  'credential',
];
const sensitiveNames = new Set([
  'key',
  'apikey',
  'masterkey',
  'privatekey',
  'walletmasterkey',
  'datakey',
  'idempotencykey',
  'xholdfastcaller',
]);

/** Names that merely contain such a word, and are safe and useful to read. */
const harmlessNames = new Set(['tokentype', 'seedversion']);

export type IsSensitive = (name: string) => boolean;

export type Redactor = {
  readonly isSensitive: IsSensitive;
  readonly redact: (fields: Readonly<Record<string, unknown>>) => Record<string, unknown>;
};

/**
 * Hides by the name of a field, at any depth. The logger's own redaction wants every path and depth spelled out and pays for
 * each of them on every line; here the answer for a name is remembered, and a process logs few different names.
 */
export function createRedactor(): Redactor {
  const known = new Map<string, boolean>();
  const isSensitive = (name: string): boolean => {
    const answer = known.get(name) ?? judgeName(name);
    if (known.size < knownNamesMax) known.set(name, answer);
    return answer;
  };
  return {
    isSensitive,
    redact: (fields) => (isPlain(fields, isSensitive) ? fields : redactFields(fields, isSensitive, 0)),
  };
}

/** Most lines have nothing to hide and are passed on untouched. */
function isPlain(fields: Readonly<Record<string, unknown>>, isSensitive: IsSensitive): fields is Record<string, unknown> {
  for (const name in fields) {
    const value = fields[name];
    if (isSensitive(name) || !isPlainValue(value)) return false;
  }
  return true;
}

/** Nothing to hide, to cut or to look into. */
export function isPlainValue(value: unknown): value is string | number | boolean | null | undefined {
  if (typeof value === 'string') return value.length <= textLengthMax && !value.includes('://');
  return typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null;
}

function judgeName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (harmlessNames.has(plain)) return false;
  return sensitiveNames.has(plain) || sensitiveWords.some((word) => plain.includes(word));
}

function redactFields(fields: object, isSensitive: IsSensitive, depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    safe[name] = isSensitive(name) && value !== undefined && value !== null ? hidden : redactValue(value, isSensitive, depth + 1);
  }
  return safe;
}

function redactValue(value: unknown, isSensitive: IsSensitive, depth: number): unknown {
  if (typeof value === 'string') return withoutLogin(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > depthMax) return '[too deep]';
  if (value instanceof Error) return redactFields(describeError(value), isSensitive, depth);
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => redactValue(item, isSensitive, depth + 1));
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (hasToJson(value)) return redactValue(value.toJSON(), isSensitive, depth + 1);
  return redactFields(value, isSensitive, depth);
}

/** Its own fields come along, such as a code or the details of a refusal. */
function describeError(error: Error): Record<string, unknown> {
  return {
    ...Object.fromEntries(Object.entries(error)),
    type: error.name,
    message: error.message,
    cause: error.cause,
    stack: error.stack,
  };
}

function hasToJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Addresses of databases and brokers carry a login: `postgres://user:password@host`. */
function withoutLogin(text: string): string {
  const short = text.length > textLengthMax ? `${text.slice(0, textLengthMax)}…` : text;
  return short.includes('://') ? short.replace(/(\w:\/\/)[^/@\s]*@/g, `$1${hidden}@`) : short;
}
