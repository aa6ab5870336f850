import { generatedNotice, page, table } from './markdown.js';

export type IndexEntry = { readonly file: string; readonly holds: string };

export function indexPage(entries: readonly IndexEntry[]): string {
  return page(
    generatedNotice,
    '# Generated reference',
    'Computed from the declarations in the code, and checked for freshness by `npm run check`.',
    table(
      ['File', 'Holds'],
      entries.map(({ file, holds }) => [`[${file}](${file})`, holds]),
    ),
  );
}
