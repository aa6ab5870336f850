import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './list-files.js';
import { repository } from './planted-tree.js';

/** A page of docs/adr, or its row in the index. `state` is "accepted", "partly replaced by 0040, 0042" or "replaced by 0041". */
type Decision = { readonly number: string; readonly file: string; readonly title: string; readonly state: string };

type Mention = { readonly file: string; readonly number: string };

const folder = 'docs/adr/';
const template = 'docs/adr/0000-template.md';
const index = 'docs/adr/README.md';
const text = /\.(ts|mjs|cjs|js|sql|md|ya?ml)$/;

function read(file: string): string {
  return readFileSync(path.join(repository, file), 'utf8');
}

/** The third line of a page is "date · state", which may name what was replaced after a colon and what it adds after a semicolon. */
function decisionOf(file: string, page: string): Decision {
  const [, number = '', title = '', line = ''] = /^# (\d{4}) (.+)\n\n[\d-]+ · ((?:.+\n)+)/.exec(page) ?? [];
  const [kind = ''] = /^(accepted|partly replaced by|replaced by)\b/.exec(line) ?? [];
  const [clause = ''] = line.split(/[;:]\s/);
  const replacedBy = [...clause.matchAll(/\]\((?:\.\.\/)?(\d{4})-/g)].map(([, by]) => by);
  return { number, file, title, state: kind === 'accepted' ? kind : `${kind} ${replacedBy.join(', ')}` };
}

function rowsOf(page: string): readonly Decision[] {
  return [...page.matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \| (.+) \|$/gm)].map(
    ([, number = '', file = '', title = '', state = '']) => ({ number, file: path.posix.join(folder, file), title, state }),
  );
}

function faultsOf(decisions: readonly Decision[]): readonly string[] {
  const numbers = decisions.map(({ number }) => number);
  return decisions.flatMap(({ number, file, state }) => {
    const by = state.match(/\d{4}/g) ?? [];
    const isReplaced = state.startsWith('replaced by');
    return [
      ...(path.posix.basename(file).startsWith(`${number}-`) ? [] : [`${file} is headed ${number}`]),
      ...(state === 'accepted' || by.length > 0 ? [] : [`${number} has no state`]),
      ...(isReplaced === file.startsWith(`${folder}replaced/`) ? [] : [`${number} is ${state} and lies in ${file}`]),
      ...(numbers.filter((other) => other === number).length === 1 ? [] : [`${number} is used twice`]),
      ...by.filter((other) => !numbers.includes(other)).map((other) => `${number} is replaced by ${other}, which does not exist`),
    ];
  });
}

/** The decisions that a text names: `ADR 0042`, `docs/adr/0042`, `decision 42`, `decisions 42`. */
function mentionsIn(file: string, content: string): readonly Mention[] {
  return [...content.matchAll(/\b(?:ADR |adr\/(?:replaced\/)?|[Dd]ecisions? )(\d{1,4})\b/g)].map(([, number = '']) => ({
    file,
    number: number.padStart(4, '0'),
  }));
}

function byFile(one: Decision, other: Decision): number {
  return one.file < other.file ? -1 : 1;
}

describe('the decisions of docs/adr', () => {
  let files: readonly string[];
  let decisions: readonly Decision[];

  beforeAll(async () => {
    files = (await listFiles(repository)).filter((file) => text.test(file));
    decisions = files
      .filter((file) => /^docs\/adr\/(replaced\/)?\d{4}-/.test(file) && file !== template)
      .map((file) => decisionOf(file, read(file)));
  });

  it('have their own number, a state that fits their folder, and successors that exist', () => {
    expect(decisions.length).toBeGreaterThan(80);
    expect(faultsOf(decisions)).toEqual([]);
  });

  it('are in the index, once, with their title and state', () => {
    expect(rowsOf(read(index)).toSorted(byFile)).toEqual(decisions.toSorted(byFile));
  });

  it('exist where code and documents name them, and hold where code does', () => {
    const states = new Map(decisions.map(({ number, state }) => [number, state]));
    const mentions = files
      .filter((file) => file !== index && !isOfTheRules(file))
      .flatMap((file) => mentionsIn(file, read(file)));
    expect(mentions.filter(({ number }) => !states.has(number) && number !== '0000')).toEqual([]);
    const inCode = mentions.filter(({ file }) => !file.endsWith('.md'));
    expect(inCode.length).toBeGreaterThan(20);
    expect(inCode.filter(({ number }) => states.get(number)?.startsWith('replaced') === true)).toEqual([]);
  });

  it('are read with rules that find offenders', () => {
    const page = '# 0009 A title\n\n2026-11 · replaced by [12](../0012-x.md)\nand more; adds to [7](0007-y.md)\n\n## Context\n';
    const offender = decisionOf('docs/adr/0008-a-title.md', page);
    expect(offender).toEqual({ number: '0009', file: 'docs/adr/0008-a-title.md', title: 'A title', state: 'replaced by 0012' });
    expect(faultsOf([offender, offender])).toEqual(
      Array.from({ length: 2 }, () => [
        'docs/adr/0008-a-title.md is headed 0009',
        '0009 is replaced by 0012 and lies in docs/adr/0008-a-title.md',
        '0009 is used twice',
        '0009 is replaced by 0012, which does not exist',
      ]).flat(),
    );
    expect(faultsOf([{ ...offender, number: '0008', state: '' }])).toEqual(['0008 has no state']);
    expect(
      mentionsIn('a.ts', '// See ADR 0042.\n// Decision 9 says why, docs/adr/0007-x.md too').map(({ number }) => number),
    ).toEqual(['0042', '0009', '0007']);
  });
});

/** The tests of the rules name decisions that do not exist. */
function isOfTheRules(file: string): boolean {
  return file.startsWith('e2e/src/architecture/');
}
