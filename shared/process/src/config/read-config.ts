import type { z } from 'zod';
import { fileVariableName, readSecretFile } from './secret-file.js';
import { settingFacts, type SettingsSchema } from './setting.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Lists every fault of the settings, so that an operator can correct all of them at once. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** The only function that reads the environment of the process. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * Reads the settings of a schema: the field `databaseUrl` is the variable DATABASE_URL. An empty variable counts as not set. A secret
 * can also be given as a file, which DATABASE_URL_FILE names. Throws one ConfigError with every fault.
 */
export function readConfig<Schema extends SettingsSchema>(schema: Schema, env: Environment): z.output<Schema> {
  const given = Object.entries(schema.shape).map(([field, inner]) => [field, givenText(field, inner, env)] as const);
  const input = Object.fromEntries(given.map(([field, { text }]) => [field, text]));
  const faultyFiles = new Map(given.flatMap(([field, { fault }]) => (fault === undefined ? [] : [[field, fault] as const])));
  const parsed = schema.safeParse(input);
  const issues = parsed.success ? [] : parsed.error.issues.filter(({ path }) => !faultyFiles.has(String(path[0])));
  const faults = [
    ...faultyFiles.values(),
    ...issues.map((issue) => faultOf(schema, input, issue)),
    ...shortSecrets(schema, input, env),
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return parsed.data;
}

/** Like `readConfig`, for two schemas whose faults are reported together. */
export function readConfigs<First extends SettingsSchema, Second extends SettingsSchema>(
  first: First,
  second: Second,
  env: Environment,
): readonly [z.output<First>, z.output<Second>] {
  const faults: string[] = [];
  const collect = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const values = [collect(() => readConfig(first, env)), collect(() => readConfig(second, env))] as const;
  if (values[0] === undefined || values[1] === undefined) throw new ConfigError(faults);
  return [values[0], values[1]];
}

/** For main files: on a ConfigError prints the faults, sets the exit code 1 and returns undefined. */
export function settingsOrExit<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

export function isProduction(env: Environment): boolean {
  return env['NODE_ENV'] === 'production';
}

/** `settlementTimeoutMs` is the variable SETTLEMENT_TIMEOUT_MS, and SETTLEMENT_TIMEOUT_MS is itself. */
export function variableName(field: string): string {
  if (/^[A-Z0-9_]+$/.test(field)) return field;
  return field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The environment with these settings instead of its own, however they were given there. */
export function withSettings(env: Environment, settings: Environment): Environment {
  const replaced = new Set(Object.keys(settings).map(fileVariableName));
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !replaced.has(name))), ...settings };
}

type Given = { readonly text?: string | undefined; readonly fault?: string | undefined };

function givenText(field: string, inner: z.core.$ZodType, env: Environment): Given {
  const name = variableName(field);
  const text = textOf(env, name);
  const fileVariable = fileVariableName(name);
  const file = textOf(env, fileVariable);
  if (file === undefined || !settingFacts(inner).isSecret) return { text };
  if (text !== undefined) return { fault: `${name} and ${fileVariable} are both set; expected only one of them` };
  const read = readSecretFile(file);
  return read.fault === undefined
    ? { text: read.text }
    : { fault: `${fileVariable} is ${JSON.stringify(file)}, which ${read.fault}` };
}

function textOf(env: Environment, name: string): string | undefined {
  const text = env[name];
  return text === undefined || text.trim() === '' ? undefined : text;
}

const shownLengthMax = 60;

function faultOf(schema: SettingsSchema, input: Environment, issue: z.core.$ZodIssue): string {
  const field = String(issue.path[0] ?? '');
  const inner = schema.shape[field];
  // The message of a rule over several settings names them itself.
  if (inner === undefined) return issue.message;
  const facts = settingFacts(inner);
  const text = input[field];
  const shown = text === undefined || facts.isSecret ? issue.message : `is ${JSON.stringify(text.slice(0, shownLengthMax))}`;
  return `${variableName(field)} ${shown}; expected ${facts.expected} (${facts.description})`;
}

function shortSecrets(schema: SettingsSchema, input: Environment, env: Environment): readonly string[] {
  if (!isProduction(env)) return [];
  return Object.entries(schema.shape).flatMap(([field, inner]) => {
    const { productionLengthMin: lengthMin, expected } = settingFacts(inner);
    const text = input[field];
    if (lengthMin === undefined || text === undefined || text.length >= lengthMin) return [];
    return [`${variableName(field)} is too short for production; expected ${expected}`];
  });
}
