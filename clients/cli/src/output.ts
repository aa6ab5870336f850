import { isatty } from 'node:tty';
import colors from 'picocolors';
import { textTable } from '@holdfast/tools/text-table';

export type Paint = ReturnType<typeof colors.createColors>;

/** What a command prints. Data go to stdout, everything else to stderr, so that a pipe gets data only. */
export type Output = {
  readonly isJson: boolean;
  /** Colours, or none where the output is not a terminal. */
  readonly paint: Paint;
  /** A line for people; with --json on stderr. */
  readonly line: (text: string) => void;
  /** Progress and remarks. */
  readonly note: (text: string) => void;
  /** One value: JSON with --json, else its fields. */
  readonly record: (value: unknown) => void;
  /** Several values: a JSON array with --json, else a table. */
  readonly list: (values: readonly unknown[], columns?: readonly string[]) => void;
  /** One line of JSON. */
  readonly jsonLine: (value: unknown) => void;
};

export function createOutput(isJson: boolean): Output {
  const print = (text: string): void => console.log(text);
  const json = (value: unknown): void => print(JSON.stringify(value, replacer, 2));
  return {
    isJson,
    // picocolors alone would also paint where CI is set.
    paint: colors.createColors(isatty(process.stdout.fd) && colors.isColorSupported),
    line: isJson ? (text) => console.error(text) : print,
    note: (text) => console.error(text),
    record: (value) => (isJson ? json(value) : print(textOfRecord(value))),
    list: (values, columns) => (isJson ? json(values) : print(textOfList(values, columns))),
    jsonLine: (value) => print(JSON.stringify(value, replacer)),
  };
}

/** Amounts in units are larger than the numbers of JSON. */
function replacer(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

const cellWidthMax = 44;

/** A table with the named columns, or with the plain columns of the first value. */
export function textOfList(values: readonly unknown[], columns?: readonly string[]): string {
  if (values.length === 0) return 'There are none.';
  const rows = values.map(fieldsOf);
  const titles = columns ?? Object.keys(rows[0] ?? {}).filter((name) => typeof rows[0]?.[name] !== 'object');
  return textTable(
    titles,
    rows.map((row) => titles.map((name) => cellOf(row[name]))),
  );
}

/** One field per line; what is nested is indented. */
export function textOfRecord(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return `${indent}${cellText(value)}`;
  const fields = Object.entries(value);
  if (fields.length === 0) return `${indent}–`;
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, field]) => fieldLine({ name, field, width, indent })).join('\n');
}

type Field = { readonly name: string; readonly field: unknown; readonly width: number; readonly indent: string };

function fieldLine({ name, field, width, indent }: Field): string {
  const isNested = typeof field === 'object' && field !== null && Object.keys(field).length > 0;
  if (!isNested) return `${indent}${name.padEnd(width)}  ${cellText(field)}`.trimEnd();
  return `${indent}${name}\n${textOfRecord(field, `${indent}  `)}`;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : { value };
}

function cellOf(value: unknown): string {
  const text = cellText(value).replaceAll(/\s+/g, ' ');
  return text.length > cellWidthMax ? `${text.slice(0, cellWidthMax - 1)}…` : text;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value, replacer);
}
