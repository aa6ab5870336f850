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

/** Reads the generated page, whose freshness another test checks, so that no part has to be imported. */
export async function readSettingsTable(): Promise<SettingsTable> {
  const [, ...sections] = (await readFile(page, 'utf8')).split(/^## /m);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')).trim(), rowsOf(section)]));
}

function rowsOf(section: string): readonly SettingFacts[] {
  return [...section.matchAll(/^\| `(\w+)` \|.*\| (.*?) ?\|$/gm)].map(([, name = '', last = '']) => ({
    name,
    isRequired: last.startsWith('required'),
    isSecret: last.endsWith('secret'),
    defaultText: /^`(.*)`$/.exec(last)?.[1],
  }));
}
