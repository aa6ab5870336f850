import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { plantTree, repository, type Files } from './planted-tree.js';

/** A sentence for each rule, with the words that the check names. */
const offenders: Readonly<Record<string, string>> = {
  '32 words': `The ledger ${'really '.repeat(28)}balances well.`,
  '"is no"': 'A deposit that is no payment stays where it is.',
  '"those which"': 'Leases those which are idle.',
  '"of which"': 'It stores two hashes, one of which is old.',
  '"nobody"': 'An order that nobody pays expires.',
  '"Whoever"': 'Whoever has the key can sign.',
  '"for who"': 'It resumes without loss for who comes back.',
  '"Who"': 'Who waits gets a response.',
  '"those of"': 'Leases those of the channels.',
  '"of ours"': 'It is a fault of ours.',
  '"a schema of its own"': 'Each service has a schema of its own.',
  '"goes on"': 'The saga goes on.',
  '"which is what"': 'It returns the hash, which is what the wallet signs.',
  '"With which"': 'With which the commands find the platform.',
  '"Of the"': 'Of the last response.',
  '"was told"': 'The provider was told of the payment.',
  '"but for"': 'All rows are read but for old ones.',
  '"all the same"': 'It is paid all the same.',
  '"this very"': 'It signs this very call.',
  '"where there is none"': 'Undefined where there is none.',
  '"of the lease of the row of"': 'The end of the lease of the row of a run passes.',
};

/** A text in each kind of place that is not a document, as code. */
const places: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'a comment of one line': ['shared/a/src/a.ts', 'const a = 1; // nobody reads it'],
  'a comment over several lines': ['shared/a/src/a.ts', '// The page that\n// nobody reads.\nconst a = 1;'],
  'a block comment': ['shared/a/src/a.ts', '/* nobody reads it */\nconst a = 1;'],
  'a documentation comment': ['shared/a/src/a.ts', '/**\n * The page that\n * nobody reads.\n */\nconst a = 1;'],
  'a comment in a page of the console': ['console/src/a.tsx', 'const a = <p>{/* nobody reads it */}</p>;'],
  'a comment of a tool': ['tools/a.mjs', '// nobody reads it'],
  'a comment of a statement': ['shared/a/src/sql/a.ts', 'const a = `\n  select 1 -- nobody reads it\n`;'],
  'a comment of SQL': ['shared/a/src/a.sql', '-- nobody reads it\nselect 1;'],
  'the name of a test': ['shared/a/src/a.test.ts', "it('is read by nobody', () => {});"],
  'a name that begins like a statement': ['shared/a/src/a.test.ts', "it('with a page that nobody reads', () => {});"],
  'the name of a group of tests': ['shared/a/src/a.test.ts', "describe('a page for nobody', () => {});"],
  'the name of repeated tests': ['shared/a/src/a.test.ts', "it.each([1, 2])('%s is read by nobody', () => {});"],
  'a log message': ['services/a/src/a.ts', "ctx.log.warn({ id }, 'a page that nobody reads');"],
  'a log message with a value': ['services/a/src/a.ts', 'log.info({}, `${count} pages that nobody reads`);'],
  'an error': ['services/a/src/a.ts', "throw new Error('nobody reads it');"],
  'a text of the console': ['console/src/a.tsx', 'const a = <p>A page that nobody reads</p>;'],
  'a property of the console': ['console/src/a.tsx', 'const a = <Page title="A page that nobody reads" />;'],
  'a help text': ['clients/cli/src/a.ts', "command.description('Prints what nobody reads');"],
  'the introduction of a benchmark': ['bench/src/a.ts', "const about = ['Pages a second that nobody reads.'];"],
};

/** Each offender has its own file, so that one run checks them all. */
const pageOf = (index: number): string => `docs/${index.toString()}.md`;
const placeOf = (index: number, file: string): string => `${index.toString()}/${file}`;

async function checked(files: Files) {
  const tree = await plantTree(files);
  const { status, stdout } = spawnSync(process.execPath, [path.join(repository, 'tools/prose.mjs'), tree.folder]);
  await tree.remove();
  return { status, lines: String(stdout).trim().split('\n') };
}

describe('the check of the prose', () => {
  let inDocuments: readonly string[];
  let inPlaces: readonly string[];

  beforeAll(async () => {
    const pages = Object.values(offenders).map(
      (sentence, index) => [pageOf(index), `# A page\n\nThis line is plain. ${sentence}\n`] as const,
    );
    const files = Object.values(places).map(([file, text], index) => [placeOf(index, file), text] as const);
    inDocuments = (await checked(Object.fromEntries(pages))).lines;
    inPlaces = (await checked(Object.fromEntries(files))).lines;
  });

  it.each(Object.entries(offenders).map(([found, sentence], index) => [found, sentence, pageOf(index)] as const))(
    'finds %s',
    (found, sentence, page) => {
      const line = inDocuments.findIndex((each) => each.startsWith(`${page}:3 ${found}`));
      expect(inDocuments[line + 1]).toBe(`  ${sentence}`);
    },
  );

  it.each(Object.entries(places).map(([place, [file]], index) => [place, placeOf(index, file)] as const))(
    'reads %s',
    (_place, file) => {
      expect(inPlaces.filter((line) => line.startsWith(`${file}:`))).toEqual([
        expect.stringContaining('nobody": name the actor'),
      ]);
    },
  );

  it('reads paragraphs over several lines, list items, cells of tables, and the texts of the reference', async () => {
    const { lines } = await checked({
      'README.md': 'An order that\nnobody pays expires.\n\n- one\n- nobody\n',
      'services/orders/README.md': '| Route | What |\n| --- | --- |\n| `GET /a` | somebody calls it |\n',
      'docs/generated/errors.md': '| `A_CODE` | 400 | The order is no order. |\n',
      'docs/generated/openapi.json': JSON.stringify({ summary: 'Ask anybody', example: 'nobody' }, undefined, 2),
    });
    expect(lines.filter((line) => !line.startsWith('  ')).map((line) => line.replace(/: .*/, ''))).toEqual([
      'README.md:1 "nobody"',
      'README.md:5 "nobody"',
      'docs/generated/errors.md:1 "is no"',
      'docs/generated/openapi.json:2 "anybody"',
      'services/orders/README.md:3 "somebody"',
      '5 sentences to rewrite',
    ]);
  });

  it('accepts code in comments and strings, generated sources and merged migrations', async () => {
    const source = [
      '// eslint-disable-next-line no-console -- nobody reads it',
      '/**',
      ' * Prints the user `nobody`. For example:',
      ' *    whoever.runs(this)',
      ' * @throws if nobody listens',
      ' */',
      "const a = 'nobody';",
      'const b = `\n  select nobody\n  from those_which`;',
      "const c = { path: '/nobody/of-which', pattern: /nobody goes on/, code: `if (nobody) {\\n}` };",
      `// ${'Five words in a row. '.repeat(10)}`,
    ];
    const files = {
      'shared/a/src/a.ts': source.join('\n'),
      'shared/a/src/generated/a.ts': '// nobody reads it',
      'services/a/migrations/0001-a.sql': '-- nobody reads it',
    };
    expect(await checked(files)).toEqual({ status: 0, lines: ['the prose is plain'] });
  });

  it('accepts code, addresses of links, decisions, and idioms that read well', async () => {
    const page = [
      'Postgres runs as `nobody`, and there is no other one. It is no longer a root process. See [the page](https://nobody.example/of-which).',
      '```',
      'whoever runs this',
      '```',
      `| ${'one '.repeat(20)}| ${'two '.repeat(20)}|`,
      'Five words in a row. '.repeat(10),
      `It reads ${Array.from({ length: 40 }, (_, index) => `\`TABLE_${index}\``).join(', ')}.`,
    ];
    expect(await checked({ 'docs/page.md': page.join('\n'), 'docs/adr/0001-a.md': 'Nobody edits this.' })).toEqual({
      status: 0,
      lines: ['the prose is plain'],
    });
  });
});
