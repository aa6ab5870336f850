import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listFiles } from './list-files.js';
import { repository } from './planted-tree.js';

type Ban = { readonly fact: string; readonly pattern: RegExp; readonly offender: string; readonly clean: string };

/** Written in pieces, so that this file does not mention them either. */
const bans: readonly Ban[] = [
  {
    fact: 'names a folder of one machine',
    pattern: new RegExp(`(^|[\\s'"\`(=:])/(${'wor' + 'k'}|${'far' + 'm'})/\\w`),
    offender: `cd /${'wor' + 'k'}/main`,
    clean: `bench/${'wor' + 'k'}/main`,
  },
  {
    fact: 'links to documents outside of it',
    pattern: new RegExp(`\\.\\./${'shar' + 'ed'}/(spec|DESIGN|STYLE|LAYOUT|PROVIDERS)`),
    offender: `see ../${'shar' + 'ed'}/DESIGN.md`,
    clean: 'see ../shared/package.json',
  },
  {
    fact: 'leaves a marker without an issue number',
    pattern: new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b(?! ?#\\d)`),
    offender: `// ${'TO' + 'DO'}: later`,
    clean: `// ${'TO' + 'DO'} #12: later`,
  },
  {
    fact: 'skips a test or runs one alone',
    pattern: new RegExp(`\\b(it|test|describe)\\.(${['ski' + 'p', 'onl' + 'y', 'tod' + 'o'].join('|')})\\b|\\bx(it|describe)\\(`),
    offender: `it.${'ski' + 'p'}('holds')`,
    clean: "it.each([1])('holds')",
  },
];

const text = /(\.(ts|mjs|cjs|js|json|md|sql|ya?ml|sh|html|css)|Dockerfile|\.ci\/run|\.npmrc)$/;

type TextFile = { readonly file: string; readonly content: string };

describe('no file of the repository', () => {
  let files: readonly TextFile[];
  beforeAll(async () => {
    const names = (await listFiles(repository)).filter((file) => text.test(file) && file !== 'package-lock.json');
    files = await Promise.all(
      names.map(async (file) => ({ file, content: await readFile(path.join(repository, file), 'utf8') })),
    );
  });

  it.each(bans)('$fact', ({ pattern }) => {
    expect(files.map(({ file }) => file)).toContain('package.json');
    const offenders = files.filter(({ content }) => pattern.test(content));
    const found = offenders.map(({ file, content }) => ({
      file,
      lines: content.split('\n').filter((line) => pattern.test(line)),
    }));
    expect(found.filter(({ lines }) => lines.length > 0)).toEqual([]);
  });

  it.each(bans)('$fact: an offender would be caught', ({ pattern, offender, clean }) => {
    expect([offender, clean].map((line) => pattern.test(line))).toEqual([true, false]);
  });
});
