import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { plantTree, repository } from './planted-tree.js';

/** One more of each mechanism that ARCHITECTURE.md counts. */
const offenders: Readonly<Record<string, string>> = {
  'commit batcher': `const { submit } = createCommitBatcher<Item, Result>({ ...limits, commit });`,
  'batch that is not a commit': `const batcher = createBatcher({ ...limits, run });`,
  'claim of due rows': 'const claim = `select id from orders where due_at < now() for update skip locked`;',
  waiter: `export function createPaymentWaiters(options: Options): Waiters {}`,
  'back-off in TypeScript': `const delayMs = Math.min(delayMsMax, firstDelayMs * 2 ** attempts);`,
  'back-off in SQL': 'const later = `now() + make_interval(secs => power(2, attempts))`;',
  lease: `const renew = { name: 'extend-order-leases', text };`,
  'webhook inbox': `export const events = tableOf<EventRow>('carrier_webhook_events')({});`,
  semaphore: `if (running >= readsMax) await new Promise((resolve) => waiting.push(resolve));`,
  'leader election': 'const tryLock = `select pg_try_advisory_lock(1)`;',
  'advisory lock with another hash': 'const lock = `select pg_advisory_xact_lock(hashtext($1))`;',
};

function architecture(numbers: Readonly<Record<string, number>>): string {
  const rows = Object.entries(numbers).map(([name, number]) => `| ${name} | \`shared/stock\` | why | ${number} |`);
  return [
    '# Architecture',
    '',
    '## One of each',
    '',
    '| Mechanism | The one | Why | Count |',
    '| --- | --- | --- | --- |',
    ...rows,
  ]
    .concat('', '## Further', '', '| waiter | of another table | 9 |', '')
    .join('\n');
}

const none = Object.fromEntries(Object.keys(offenders).map((name) => [name, 0]));

async function checked(numbers: Readonly<Record<string, number>>, files: Readonly<Record<string, string>>) {
  const tree = await plantTree({ 'ARCHITECTURE.md': architecture(numbers), ...files });
  const { status, stdout } = spawnSync(process.execPath, [path.join(repository, 'tools/one-of-each.mjs'), tree.folder]);
  await tree.remove();
  return { status, lines: String(stdout).trim().split('\n') };
}

describe('the count of mechanisms', () => {
  it('prints the lines and files of the product, and counts no tests', async () => {
    const files = {
      'services/orders/src/main.ts': 'export {};\n',
      'services/orders/src/main.test.ts': Object.values(offenders).join('\n'),
    };
    expect(await checked(none, files)).toEqual({ status: 0, lines: ['1 lines in 1 product files'] });
  });

  it('fails on another one of each, and names its place', async () => {
    const planted = Object.values(offenders).map((code, index) => [
      `services/orders/src/file-${index}.ts`,
      `export {};\n${code}\n`,
    ]);
    const { status, lines } = await checked(none, Object.fromEntries(planted) as Record<string, string>);
    expect(status).toBe(1);
    expect(lines.slice(0, -1)).toEqual(
      Object.keys(offenders).flatMap((name, index) => [
        `"${name}": ARCHITECTURE.md says 0, there are 1`,
        `  services/orders/src/file-${index}.ts:2`,
      ]),
    );
  });

  it('fails on a number that is too high, on a mechanism without one, and on one that it does not count', async () => {
    const { waiter: _, ...others } = none;
    const { status, lines } = await checked({ ...others, semaphore: 1, poll: 0 }, { 'gateway/src/main.ts': 'export {};\n' });
    expect(status).toBe(1);
    expect(lines).toEqual([
      'ARCHITECTURE.md names "poll", which is not counted',
      'ARCHITECTURE.md has no number for "waiter"; there are 0',
      '"semaphore": ARCHITECTURE.md says 1, there are 0',
      '1 lines in 1 product files',
    ]);
  });
});
