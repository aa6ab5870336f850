import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { plantTree, repository } from './planted-tree.js';

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
  '"of the lease of the row of"': 'The end of the lease of the row of a run passes.',
};

async function checked(files: Readonly<Record<string, string>>) {
  const tree = await plantTree(files);
  const { status, stdout } = spawnSync(process.execPath, [path.join(repository, 'tools/prose.mjs'), tree.folder]);
  await tree.remove();
  return { status, lines: String(stdout).trim().split('\n') };
}

describe('the check of the prose', () => {
  it.each(Object.entries(offenders))('finds %s', async (found, sentence) => {
    const { status, lines } = await checked({ 'docs/page.md': `# A page\n\nThis line is plain. ${sentence}\n` });
    expect(status).toBe(1);
    expect(lines[0]).toContain(`docs/page.md:3 ${found}`);
    expect(lines.slice(1)).toEqual([`  ${sentence}`, '1 sentences to rewrite']);
  });

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
