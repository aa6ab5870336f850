import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const faultsMax = 20;
const faultLengthMax = 200;
const nameLengthMax = 64;

export type Wording = {
  /** Names the parsed value, such as "the body". */
  readonly subject: string;
  /** The path with the names of the fields as the caller knows them. */
  readonly nameFields: (path: readonly PropertyKey[]) => readonly PropertyKey[];
  /** Whether a field that is missing, null or empty is called required, as the specification of the account API does. */
  readonly saysRequired: boolean;
};

/** Describes every issue in plain English. */
export function describeIssues(issues: readonly Issue[], given: unknown, wording: Wording): readonly string[] {
  return issues.filter(isTelling).flatMap((issue) => describeIssue(issue, given, wording));
}

/** A value of the wrong type has further issues, such as the length of a list where a text is expected. */
function isTelling(issue: Issue, index: number, issues: readonly Issue[]): boolean {
  const path = issue.path.join('.');
  return !issues.slice(0, index).some((earlier) => earlier.code === 'invalid_type' && earlier.path.join('.') === path);
}

/** Limits the number and length of the messages. */
export function bounded(faults: readonly string[]): readonly string[] {
  const shown = faults.slice(0, faultsMax).map((fault) => shortened(fault, faultLengthMax));
  return faults.length > faultsMax ? [...shown, `and ${faults.length - faultsMax} more`] : shown;
}

export function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  let value = given;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function describeIssue(issue: Issue, given: unknown, { subject, nameFields, saysRequired }: Wording): readonly string[] {
  const path = nameFields(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${nameOf([...path, key], subject)} is not a known field`);
  }
  const name = nameOf(path, subject);
  const value = valueAt(given, issue.path);
  if (saysRequired && (value === undefined || value === null || isEmptyText(issue))) return [`${name} is required`];
  return [value === undefined ? `${name} is missing` : `${name} ${problemOf(issue)}`];
}

function isEmptyText(issue: Issue): boolean {
  return issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1;
}

function problemOf(issue: Issue): string {
  // The contract has its own message.
  if (!/^(Invalid|Too (big|small)|Unrecognized)/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return tooSmallWords(issue);
    case 'too_big':
      return `${rangeWords(issue.origin)} at most ${String(issue.maximum)}${unitWords(issue.origin)}`;
    case 'invalid_format':
      return `must be ${formatWords[issue.format] ?? 'of the documented form'}`;
    case 'invalid_union':
      return 'has none of the accepted forms';
    default:
      return 'is not valid';
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const formatWords: Readonly<Record<string, string>> = {
  datetime: 'a date and time in ISO 8601, such as "2026-01-31T12:00:00Z"',
  date: 'a date, such as "2026-01-31"',
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
};

function tooSmallWords(issue: z.core.$ZodIssueTooSmall): string {
  if (isEmptyText(issue)) return 'must not be empty';
  const { origin, minimum } = issue;
  return `${rangeWords(origin)} at least ${String(minimum)}${unitWords(origin)}`;
}

function rangeWords(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'must have' : 'must be';
}

function unitWords(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

function nameOf(path: readonly PropertyKey[], subject: string): string {
  if (path.length === 0) return subject;
  const parts = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${shortened(String(key), nameLengthMax)}`));
  return parts.join('').replace(/^\./, '');
}

function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text;
}
