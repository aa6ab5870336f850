import type { ListedSetting } from '@holdfast/process/config';
import { code, generatedNotice, page, table } from './markdown.js';

export type ProgramSettings = {
  /** The process that reads them. */
  readonly program: string;
  readonly settings: readonly ListedSetting[];
};

/** Every setting with its meaning and default, from the schemas that read them. */
export function settingsPage(programs: readonly ProgramSettings[]): string {
  return page(
    generatedNotice,
    '# Settings',
    'Environment variables. An empty one counts as not set. Every fault is reported at the start, all of them together.',
    'A secret can be given as a file instead: the name with `_FILE` at its end, such as `INTERNAL_SECRET_FILE=/run/secrets/internal-secret`. The value is the content of the file, at most 64 KiB, without the newline at its end. Setting both names is a fault, and so is a file that is empty or cannot be read.',
    ...programs.filter(({ settings }) => settings.length > 0).map(section),
  );
}

function section({ program, settings }: ProgramSettings): string {
  const rows = settings.map((one) => [code(one.name), one.description, one.expected, defaultText(one)]);
  return [`## ${program}`, table(['Name', 'Meaning', 'Expected', 'Default'], rows)].join('\n\n');
}

function defaultText({ defaultText: text, isRequired, isSecret }: ListedSetting): string {
  if (isRequired) return isSecret ? 'required, secret' : 'required';
  if (isSecret) return 'secret';
  return text === undefined ? '' : code(text);
}
