import { readRepositoryFile } from './compose-file.js';

export type TableRow = { readonly isRequired: boolean; readonly isSecret: boolean; readonly defaultText: string };
/** The settings of one process by name. */
export type SettingsTable = ReadonlyMap<string, TableRow>;

/** The settings of every process, from the generated page, which `npm run check` keeps fresh. */
export function readSettingsTables(): ReadonlyMap<string, SettingsTable> {
  const [, ...sections] = readRepositoryFile('docs/generated/settings.md').split('\n## ');
  return new Map(sections.map((section) => [section.split('\n', 1)[0] ?? '', rowsOf(section)]));
}

const row = /^\| `([A-Z0-9_]+)` \| .* \| ([^|]*) \|$/gm;

function rowsOf(section: string): SettingsTable {
  return new Map([...section.matchAll(row)].map(([, name = '', last = '']) => [name, rowOf(last)]));
}

function rowOf(last: string): TableRow {
  return {
    isRequired: last.startsWith('required'),
    isSecret: last.endsWith('secret'),
    defaultText: last.replaceAll('`', ''),
  };
}
