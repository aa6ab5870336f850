import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ConfigError, readConfig, readConfigs, variableName, withSettings } from './read-config.js';
import { amqpUrlSetting, databaseUrlSetting } from './server-url-settings.js';
import {
  booleanSetting,
  choiceSetting,
  choicesSetting,
  countSetting,
  durationMsSetting,
  optionalSetting,
  portSetting,
  secretSetting,
  textSetting,
  urlSetting,
} from './setting.js';
import { listSettings } from './list-settings.js';

const schema = z.object({
  port: portSetting({ description: 'where it listens', default: 8080 }),
  databaseUrl: urlSetting({ description: 'the database', protocols: ['postgres', 'postgresql'], isSecret: true }),
  internalSecret: secretSetting({ description: 'signs callers' }),
  isPretty: booleanSetting({ description: 'readable logs', default: false }),
  stopTimeoutMs: durationMsSetting({ description: 'time to stop', default: 10_000, max: 60_000 }),
  workersMax: countSetting({ description: 'workers', default: 4, min: 1, max: 64 }),
  logLevel: choiceSetting(['debug', 'info'], { description: 'how much is logged', default: 'info' }),
  amqpUrl: optionalSetting(urlSetting({ description: 'the broker', protocols: ['amqp', 'amqps'], isSecret: true })),
  title: optionalSetting(textSetting({ description: 'a title', lengthMax: 5 })),
});

const good = { DATABASE_URL: 'postgres://admin:hunter22@localhost/x', INTERNAL_SECRET: 'short' };

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('reading settings', () => {
  it('applies defaults and parses texts', () => {
    expect(readConfig(schema, { ...good, PORT: '0', IS_PRETTY: 'TRUE', WORKERS_MAX: '64' })).toEqual({
      port: 0,
      databaseUrl: good.DATABASE_URL,
      internalSecret: 'short',
      isPretty: true,
      stopTimeoutMs: 10_000,
      workersMax: 64,
      logLevel: 'info',
      amqpUrl: undefined,
      title: undefined,
    });
  });

  it('treats an empty variable as not set', () => {
    expect(readConfig(schema, { ...good, PORT: '', AMQP_URL: ' ' })).toMatchObject({ port: 8080, amqpUrl: undefined });
  });

  it('ignores undeclared variables', () => {
    expect(faultsOf({ ...good, PATH: '/bin', HOLDFAST_SOMETHING: '1' })).toEqual([]);
  });

  it('reports every fault with its name and the expected value', () => {
    expect(faultsOf({ PORT: '99999', STOP_TIMEOUT_MS: '1e3', LOG_LEVEL: 'loud', TITLE: 'too long' })).toEqual([
      'PORT is "99999"; expected a port from 0 to 65535, where 0 means any free one (where it listens)',
      'DATABASE_URL is missing; expected a URL that begins with postgres:// or postgresql:// (the database)',
      'INTERNAL_SECRET is missing; expected a secret of at least 32 characters in production (signs callers)',
      'STOP_TIMEOUT_MS is "1e3"; expected milliseconds, from 1 to 60000 (time to stop)',
      'LOG_LEVEL is "loud"; expected one of debug, info (how much is logged)',
      'TITLE is "too long"; expected text of at most 5 characters (a title)',
    ]);
  });

  it('does not include the value of a secret in a fault', () => {
    const faults = faultsOf({ DATABASE_URL: 'mysql://admin:hunter22@localhost', INTERNAL_SECRET: 'x', AMQP_URL: 'hunter22' });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter22');
  });

  it('reports short secrets in production together with other faults', () => {
    expect(faultsOf({ ...good, PORT: 'x', NODE_ENV: 'production' }).map((fault) => fault.split(';')[0])).toEqual([
      'PORT is "x"',
      'INTERNAL_SECRET is too short for production',
    ]);
    expect(faultsOf({ ...good, INTERNAL_SECRET: 's'.repeat(32), NODE_ENV: 'production' })).toEqual([]);
  });

  it.each(['-1', '1.5', '٣', '0x10', ' 1', '65536', '1e1'])('refuses %j as a port', (text) => {
    expect(faultsOf({ ...good, PORT: text })).toHaveLength(1);
  });

  it('reports a rule over several settings with its own message', () => {
    const both = schema.refine(
      (config) => config.port !== 8080 || config.amqpUrl !== undefined,
      'AMQP_URL is needed on port 8080',
    );
    expect(() => readConfig(both, good)).toThrow('AMQP_URL is needed on port 8080');
  });
});

describe('a secret in a file', () => {
  let folder: string;
  const { DATABASE_URL } = good;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'holdfast-secrets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const fileWith = (content: string | Buffer): string => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, content);
    return file;
  };
  const faultsWith = (file: string): readonly string[] => faultsOf({ DATABASE_URL, INTERNAL_SECRET_FILE: file });

  it.each([
    ['text\n', 'text'],
    ['text\r\n', 'text'],
    ['two\nlines\n\n', 'two\nlines\n'],
    [' text ', ' text '],
  ])('has the content %j as %j', (content, secret) => {
    const INTERNAL_SECRET_FILE = fileWith(content);
    expect(readConfig(schema, { DATABASE_URL, INTERNAL_SECRET_FILE, INTERNAL_SECRET: '' }).internalSecret).toBe(secret);
  });

  it.each([
    ['', 'is empty'],
    ['\n', 'is empty'],
    ['x'.repeat(65_537), 'is larger than 65536 bytes'],
    [Buffer.from([0xff, 0xfe, 0xff]), 'is not UTF-8 text'],
  ])('is refused when its content cannot be used', (content, fault) => {
    const file = fileWith(content);
    expect(faultsWith(file)).toEqual([`INTERNAL_SECRET_FILE is "${file}", which ${fault}`]);
  });

  it('is refused when it is missing or a folder, together with all other faults', () => {
    const missing = path.join(folder, 'missing');
    expect(faultsOf({ DATABASE_URL_FILE: folder, INTERNAL_SECRET_FILE: missing, PORT: 'x' })).toEqual([
      `DATABASE_URL_FILE is "${folder}", which is not a file`,
      `INTERNAL_SECRET_FILE is "${missing}", which cannot be read (ENOENT)`,
      'PORT is "x"; expected a port from 0 to 65535, where 0 means any free one (where it listens)',
    ]);
  });

  it('is refused beside the variable itself', () => {
    expect(faultsOf({ ...good, INTERNAL_SECRET_FILE: fileWith('text') })).toEqual([
      'INTERNAL_SECRET and INTERNAL_SECRET_FILE are both set; expected only one of them',
    ]);
  });

  it('is held to the rules of the setting, and not shown', () => {
    const faults = faultsOf({ ...good, AMQP_URL_FILE: fileWith('hunter22') });
    expect(faults).toEqual(['AMQP_URL is not valid; expected a URL that begins with amqp:// or amqps:// (the broker)']);
    const short = { DATABASE_URL, INTERNAL_SECRET_FILE: fileWith('short'), NODE_ENV: 'production' };
    expect(faultsOf(short).join()).toContain('INTERNAL_SECRET is too short for production');
  });

  it('is read for secrets only', () => {
    expect(readConfig(schema, { ...good, PORT_FILE: fileWith('1') }).port).toBe(8080);
  });

  it('gives way to a setting that a program provides', () => {
    const env = withSettings({ ...good, INTERNAL_SECRET_FILE: '/missing', PATH: '/bin' }, { INTERNAL_SECRET: 'provided' });
    expect(env).toEqual({ ...good, INTERNAL_SECRET: 'provided', PATH: '/bin' });
  });
});

describe('the URL of a server', () => {
  const servers = z.object({
    databaseUrl: databaseUrlSetting({ description: 'the database' }),
    amqpUrl: amqpUrlSetting({ description: 'the broker' }),
  });
  const urls = { DATABASE_URL: 'postgres://a:hunter22@db/x', AMQP_URL: 'amqps://a:hunter22@mq' };
  const file = import.meta.filename;
  const read = (query: Readonly<Record<keyof typeof urls, string>>) =>
    readConfig(servers, { DATABASE_URL: urls.DATABASE_URL + query.DATABASE_URL, AMQP_URL: urls.AMQP_URL + query.AMQP_URL });

  it.each([
    ['', ''],
    ['?sslmode=disable', '?heartbeat=5'],
    ['?sslmode=require', `?cacertfile=${file}`],
    [`?sslmode=verify-ca&sslrootcert=${file}`, `?certfile=${file}&keyfile=${file}`],
    [`?sslmode=verify-full&sslcert=${file}&sslkey=${file}`, ''],
  ])('may end in %j and %j', (DATABASE_URL, AMQP_URL) => {
    expect(() => read({ DATABASE_URL, AMQP_URL })).not.toThrow();
  });

  it.each(['?sslmode=prefer', '?sslmode=requre', '?sslmode=verify-ca', '?sslmode=require&sslrootcert=/missing'])(
    'of Postgres may not end in %j',
    (query) => {
      const fail = () => read({ DATABASE_URL: query, AMQP_URL: '?cacertfile=/missing' });
      expect(fail).toThrow(/DATABASE_URL is not valid; .*sslmode[^]*AMQP_URL is not valid; .*cacertfile/);
      expect(fail).not.toThrow(/hunter22/);
    },
  );
});

describe('a list of choices', () => {
  const colours = z.object({
    colours: choicesSetting(['red', 'green', 'blue'], { description: 'colours', default: ['red', 'green'] }),
  });

  it.each([
    [undefined, ['red', 'green']],
    ['blue', ['blue']],
    [' blue ,red, blue', ['red', 'blue']],
  ])('reads %j', (text, expected) => {
    expect(readConfig(colours, text === undefined ? {} : { COLOURS: text })).toEqual({ colours: expected });
  });

  it.each(['pink', 'red,pink', 'red,', ',', 'RED'])('refuses %j', (text) => {
    const expected = 'expected one or more of red, green, blue, separated by commas';
    expect(() => readConfig(colours, { COLOURS: text })).toThrow(`COLOURS is "${text}"; ${expected}`);
  });

  it('has its default in the settings table', () => {
    expect(listSettings(colours)[0]?.defaultText).toBe('red,green');
  });
});

describe('two groups of settings', () => {
  const other = z.object({ workers: countSetting({ description: 'workers', min: 1, max: 2 }) });

  it('are read with one call', () => {
    expect(readConfigs(schema, other, { ...good, WORKERS: '2' })).toMatchObject([{ port: 8080 }, { workers: 2 }]);
  });

  it('report their faults together', () => {
    const fail = () => readConfigs(schema, other, { ...good, PORT: 'x' });
    expect(fail).toThrow(/PORT is "x"[^]*WORKERS is missing/);
  });
});

describe('the name of a variable', () => {
  it.each([
    ['port', 'PORT'],
    ['settlementTimeoutMs', 'SETTLEMENT_TIMEOUT_MS'],
    ['RATE_LIMIT_MAX', 'RATE_LIMIT_MAX'],
  ])('of %s is %s', (field, name) => {
    expect(variableName(field)).toBe(name);
  });
});

describe('the settings table', () => {
  it('has a row for each setting, without values of secrets', () => {
    const listed = listSettings(schema);
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(schema.shape).map(variableName));
    expect(listed.find(({ name }) => name === 'PORT')).toEqual({
      name: 'PORT',
      description: 'where it listens',
      expected: 'a port from 0 to 65535, where 0 means any free one',
      defaultText: '8080',
      isRequired: false,
      isSecret: false,
    });
    expect(listed.find(({ name }) => name === 'AMQP_URL')).toMatchObject({ isRequired: false, isSecret: true });
  });

  it('refuses a setting without a description', () => {
    expect(() => listSettings(z.object({ bare: z.string() }))).toThrow('made by a helper');
  });
});
