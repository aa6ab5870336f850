import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { newDataDir, startAllInOne, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms, runProgram } from './testing/program.js';

jest.setTimeout(180_000);

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

let dataDir: string;
let installation: RunningInstallation;

beforeAll(async () => {
  dataDir = newDataDir();
  installation = await startAllInOne(dataDir);
});

afterAll(async () => {
  installation.signal('SIGTERM');
  await installation.ended;
  await killLeftPrograms();
});

/** The walk-through of the README, with base URL and key of this installation. */
function walkThrough(): string {
  const section = /## From a top-up to a payout\n[^]*?\n`npm run demo`/.exec(readme)?.[0];
  if (section === undefined) throw new Error('the README has no walk-through');
  const blocks = [...section.matchAll(/```\n([^]*?)```/g)].map(([, block]) => block);
  return blocks
    .join('')
    .replace(/^API=.*$/m, `API=${installation.baseUrl}`)
    .replace(/^KEY=.*$/m, `KEY=${installation.masterKey}`);
}

describe('the README', () => {
  it('has a walk-through from a top-up over an order to withdrawals, after which the books agree', () => {
    const output = execFileSync('bash', ['-e'], { input: walkThrough(), encoding: 'utf8' });
    for (const status of ['TOPUP_SUCCEEDED', 'FUNDS_RESERVED', 'ESCROW_FUNDING', 'IN_PROGRESS', 'CLOSED'])
      expect(output).toContain(`"status":"${status}"`);
    expect(output).toContain('"available":"95.00"');
    expect(output).toMatch(/"status":"WITHDRAWAL_[A-Z]+","destinationType":"ledger"/);
    expect(output).not.toContain('"error"');
    const differences = [...(output.trim().split('\n').at(-1) ?? '').matchAll(/"difference":"([^"]*)"/g)].map(
      ([, found]) => found,
    );
    expect(differences).toEqual(['0.00', '0.00', '0.00']);
  });

  it('names a demo that tops up, runs a release, a refund, a split dispute and a withdrawal, and verifies the ledger', async () => {
    const { code, output } = await runProgram('demo', { HOLDFAST_DATA_DIR: dataDir });
    expect(output).toMatch(
      /release +CLOSED[^]*95\.00 USD[^]*refund +CLOSED[^]*resolve +RESOLVED[^]*57\.00 USD[^]*WITHDRAWAL_COMPLETED/,
    );
    expect(output).toContain('TOPUP_SUCCEEDED');
    expect(output).toContain('Sound: every rule of the books holds.');
    expect(code).toBe(0);
  });

  it('names a command that lists open saga runs', async () => {
    const { code, output } = await runProgram('sagas', { HOLDFAST_DATA_DIR: dataDir }, 'list');
    expect([code, output]).toEqual([0, 'No saga runs are open.\n']);
    const nobody = await runProgram('sagas', { HOLDFAST_DATA_DIR: dataDir }, 'redrive', 'run_nobody');
    expect([nobody.code, nobody.output]).toEqual([1, 'run_nobody is not an open saga run.\n']);
  });
});
