import { z } from 'zod';
import { isDuration, type Duration } from '@holdfast/kernel/instants';
import { isAmount } from '@holdfast/kernel/money';

/** The metadata of a setting for the settings table and for `readConfig`. */
export type SettingFacts = {
  readonly description: string;
  /** Completes the sentence "expected …". */
  readonly expected: string;
  /** The value is never shown, neither in a fault nor in the docs. */
  readonly isSecret: boolean;
  readonly defaultText: string | undefined;
  readonly isRequired: boolean;
  /** In production a shorter secret is a fault. */
  readonly productionLengthMin: number | undefined;
};

export type Setting<T> = z.ZodType<T, string | undefined>;
export type SettingsSchema = z.ZodObject<z.core.$ZodShape>;

type Common<T> = { readonly description: string; readonly default?: T; readonly isSecret?: boolean };
type Parsing<T> = {
  readonly expected: string;
  readonly parse: (text: string) => T | undefined;
  readonly productionLengthMin?: number;
};

const factsOf = z.registry<SettingFacts>();

/** Creates a setting from `parse`, which returns undefined for an invalid text. */
function setting<T extends number | string | boolean | readonly string[]>(options: Common<T> & Parsing<T>): Setting<T> {
  const schema = z
    .string()
    .optional()
    .transform((text, issues): T => {
      const value = text === undefined ? options.default : options.parse(text);
      if (value !== undefined) return value;
      issues.addIssue({ code: 'custom', message: text === undefined ? 'is missing' : 'is not valid' });
      return z.NEVER;
    });
  factsOf.add(schema, {
    description: options.description,
    expected: options.expected,
    isSecret: options.isSecret ?? false,
    defaultText: options.default === undefined ? undefined : String(options.default),
    isRequired: options.default === undefined,
    productionLengthMin: options.productionLengthMin,
  });
  return schema;
}

/** Makes a setting optional: without the variable its value is undefined. */
export function optionalSetting<T>(inner: Setting<T>): Setting<T | undefined> {
  const schema = z.optional(inner);
  factsOf.add(schema, { ...settingFacts(inner), isRequired: false });
  return schema;
}

export function settingFacts(schema: z.core.$ZodType): SettingFacts {
  const facts = factsOf.get(schema);
  if (facts === undefined)
    throw new Error('every setting is made by a helper of @holdfast/process/config, so that it has a description');
  return facts;
}

type TextForm = {
  readonly lengthMax?: number;
  /** For text with a syntax. `expected` completes the sentence "expected …". */
  readonly form?: { readonly expected: string; readonly isMet: (text: string) => boolean };
};

export function textSetting(options: Common<string> & TextForm): Setting<string> {
  const { lengthMax = 1_000, form } = options;
  return setting({
    ...options,
    expected: form?.expected ?? `text of at most ${lengthMax} characters`,
    parse: (text) => (text.length <= lengthMax && form?.isMet(text) !== false ? text : undefined),
  });
}

export function choiceSetting<const T extends string>(choices: readonly T[], options: Common<T>): Setting<T> {
  return setting<T>({
    ...options,
    expected: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((choice) => choice === text),
  });
}

/** One or more of the choices, separated by commas; the value has them in the order of `choices`. */
export function choicesSetting<const T extends string>(
  choices: readonly T[],
  options: Common<readonly T[]>,
): Setting<readonly T[]> {
  return setting<readonly T[]>({
    ...options,
    expected: `one or more of ${choices.join(', ')}, separated by commas`,
    parse: (text) => {
      const given = new Set(text.split(',').map((part) => part.trim()));
      const chosen = choices.filter((choice) => given.has(choice));
      return chosen.length === given.size ? chosen : undefined;
    },
  });
}

export function booleanSetting(options: Common<boolean>): Setting<boolean> {
  const meanings = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]);
  return setting({ ...options, expected: 'true or false', parse: (text) => meanings.get(text.toLowerCase()) });
}

type Range = { readonly min: number; readonly max: number };

export function countSetting(options: Common<number> & Range): Setting<number> {
  return setting({
    ...options,
    expected: `a whole number from ${options.min} to ${options.max}`,
    parse: (text) => wholeNumber(text, options),
  });
}

/** A share from 0 to 1. */
export function ratioSetting(options: Common<number>): Setting<number> {
  return setting({
    ...options,
    expected: 'a number from 0 to 1, such as 0.1',
    parse: (text) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text) ? Number(text) : undefined),
  });
}

export function portSetting(options: Common<number>): Setting<number> {
  const range = { min: 0, max: 65_535 };
  return setting({
    ...options,
    expected: 'a port from 0 to 65535, where 0 means any free one',
    parse: (text) => wholeNumber(text, range),
  });
}

const dayMs = 86_400_000;

/** A duration. The name of the field ends in `Ms`. */
export function durationMsSetting(options: Common<number> & Partial<Range>): Setting<number> {
  const range = { min: options.min ?? 1, max: options.max ?? dayMs };
  return setting({
    ...options,
    expected: `milliseconds, from ${range.min} to ${range.max}`,
    parse: (text) => wholeNumber(text, range),
  });
}

/** An ISO 8601 duration, for what marketplaces see or set. */
export function durationSetting(options: Common<Duration>): Setting<Duration> {
  return setting<Duration>({
    ...options,
    expected: 'an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT24H',
    parse: (text) => (isDuration(text) ? text : undefined),
  });
}

type UrlForm = {
  readonly protocols: readonly string[];
  /** For URLs with a query. `expected` completes the sentence "expected a URL …; ". */
  readonly form?: { readonly expected: string; readonly isMet: (url: URL) => boolean };
};

/** An absolute URL. Set `isSecret` if it may contain credentials. */
export function urlSetting(options: Common<string> & UrlForm): Setting<string> {
  const { protocols, form } = options;
  const beginnings = protocols.map((protocol) => `${protocol}://`).join(' or ');
  const isValid = (url: URL): boolean => protocols.includes(url.protocol.slice(0, -1)) && form?.isMet(url) !== false;
  return setting({
    ...options,
    expected: `a URL that begins with ${beginnings}${form === undefined ? '' : `; ${form.expected}`}`,
    parse: (text) => (URL.canParse(text) && isValid(new URL(text)) ? text : undefined),
  });
}

const secretLengthMin = 32;

/** A secret. It has no default, and in production it has a minimum length. */
export function secretSetting(options: { readonly description: string; readonly prefix?: string }): Setting<string> {
  const { description, prefix = '' } = options;
  const beginning = prefix === '' ? '' : ` that begins with ${prefix}`;
  return setting({
    description,
    isSecret: true,
    expected: `a secret${beginning} of at least ${secretLengthMin} characters in production`,
    productionLengthMin: secretLengthMin,
    parse: (text) => (text.startsWith(prefix) ? text : undefined),
  });
}

/** An amount of money without a currency. */
export function amountSetting(options: Common<string>): Setting<string> {
  return setting({
    ...options,
    expected: 'an amount above zero with at most two decimal places, such as 12.50',
    parse: (text) => (isAmount(text, 2) ? text : undefined),
  });
}

function wholeNumber(text: string, range: Range): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= range.min && value <= range.max ? value : undefined;
}
