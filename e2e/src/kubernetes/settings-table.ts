import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export type SettingFacts = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly defaultText: string | undefined;
};

/** The settings of each process, by its name. */
export type SettingsTable = ReadonlyMap<string, readonly SettingFacts[]>;

const page = fileURLToPath(new URL('../../../docs/generated/settings.md', import.meta.url));

/** Reads the generated page, whose freshness another test checks, so that no service has to be imported. */
export async function readSettingsTable(): Promise<SettingsTable> {
  const [, ...sections] = (await readFile(page, 'utf8')).split(/^## /m);
  const tables = sections.map((section) => [section.slice(0, section.indexOf('\n')).trim(), rowsOf(section)] as const);
  return new Map([...tables, ['operator', operatorSettings]]);
}

/** The settings of the operators' commands are not on the page: on a machine they come from the data folder. */
const operatorSettings: readonly SettingFacts[] = [
  ...['AMQP_URL', 'DATABASE_URL', 'INTERNAL_SECRET'].map((name) => ({ ...required(name), isSecret: true })),
  ...['HOLDFAST_URL', 'IDENTITY_URL', 'ORDERS_URL', 'ESCROW_ADAPTER_URL', 'PAYMENTS_URL'].map(required),
];

function required(name: string): SettingFacts {
  return { name, isRequired: true, isSecret: false, defaultText: undefined };
}

function rowsOf(section: string): readonly SettingFacts[] {
  return [...section.matchAll(/^\| `(\w+)` \|.*\| (.*?) ?\|$/gm)].map(([, name = '', last = '']) => ({
    name,
    isRequired: last.startsWith('required'),
    isSecret: last.endsWith('secret'),
    defaultText: /^`(.*)`$/.exec(last)?.[1],
  }));
}
