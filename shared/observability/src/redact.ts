import { stdSerializers } from 'pino';

export const hidden = '[hidden]';
const depthMax = 8;
const itemsMax = 100;
const textLengthMax = 8_000;

/** Names of fields whose values are secrets, in any spelling. */
const sensitiveWord = /authorization|cookie|password|passphrase|secret|seed|mnemonic|token|signature|credential/i;
const sensitiveName = /^((api|(wallet[_-]?)?master|private|data|idempotency)?[_-]?key|x-holdfast-caller)$/i;
/** Names that contain such a word although their values are not secret. */
const harmlessName = /^(token[_-]?type|seed[_-]?version)$/i;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Removes secrets from the fields of a log line: values by the name of their field at any depth, and logins in URLs. It runs as
 * pino's `formatters.log`, because pino's `redact` option needs the exact path of every field and has no size limits.
 */
export function redact(fields: Fields): Record<string, unknown> {
  return redactFields(fields, 0);
}

function redactFields(fields: object, depth: number): Record<string, unknown> {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(fields);
  return Object.fromEntries(entries.map(([name, value]) => [name, redactField(name, value, depth + 1)]));
}

function redactField(name: string, value: unknown, depth: number): unknown {
  if (value === undefined || value === null) return value;
  return isSensitive(name) ? hidden : redactValue(value, depth);
}

function isSensitive(name: string): boolean {
  return (sensitiveWord.test(name) || sensitiveName.test(name)) && !harmlessName.test(name);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return withoutLogin(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > depthMax) return '[too deep]';
  // The serializer includes the causes and the fields of an error, such as its code and details.
  if (value instanceof Error) return redactFields(stdSerializers.errWithCause(value), depth);
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => redactValue(item, depth + 1));
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (hasToJson(value)) return redactValue(value.toJSON(), depth + 1);
  return redactFields(value, depth);
}

function hasToJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** URLs of databases and brokers contain a login: `postgres://user:password@host`. */
function withoutLogin(text: string): string {
  const short = text.length > textLengthMax ? `${text.slice(0, textLengthMax)}…` : text;
  return short.includes('://') ? short.replace(/(\w:\/\/)[^/@\s]*@/g, `$1${hidden}@`) : short;
}
