import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describeAccountApi } from './accounts/stories.js';
import { startReader, type Reader } from './events/reader.js';
import { sandboxControl } from './faults/sandbox-control.js';
import { apiOf } from './testing/api.js';
import { newDataDir, startAllInOne, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms, runProgram } from './testing/program.js';

jest.setTimeout(180_000);

let dataDir: string;
let installation: RunningInstallation;
let reader: Reader;

beforeAll(async () => {
  dataDir = newDataDir();
  installation = await startAllInOne(dataDir);
  reader = await startReader(installation.baseUrl, installation.masterKey);
});

afterAll(async () => {
  reader.stop();
  installation.signal('SIGTERM');
  await installation.ended;
  await killLeftPrograms();
});

/** What a person who pastes the commands of a page sees, with base URL and key of this installation. */
function pasteCommands(page: string, section: RegExp): string {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const found = section.exec(text)?.[0];
  if (found === undefined) throw new Error(`${page} has no walk-through`);
  const commands = [...found.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
    .map(([, language, block]) => (language === '' ? block : ''))
    .join('')
    .replace(/^API=.*$/m, `API=${installation.baseUrl}`)
    .replace(/^KEY=.*$/m, `KEY=${installation.masterKey}`);
  return execFileSync('bash', ['-e'], { input: commands, encoding: 'utf8' });
}

describe('the README', () => {
  it('has a walk-through from a top-up over an order to withdrawals, after which the books agree', () => {
    const output = pasteCommands('README.md', /## From a top-up to a payout\n[^]*?\n`npm run demo`/);
    for (const status of ['TOPUP_SUCCEEDED', 'FUNDS_RESERVED', 'ESCROW_FUNDING', 'IN_PROGRESS', 'CLOSED'])
      expect(output).toContain(`"status":"${status}"`);
    expect(output).toContain('"available":"95.00"');
    expect(output).toMatch(/"status":"WITHDRAWAL_[A-Z]+","destinationType":"ledger"/);
    expect(output).not.toContain('"error"');
    const differences = [...output.matchAll(/"difference":"([^"]*)"/g)].map(([, found]) => found);
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

describe('the page about the account API', () => {
  it('has a walk-through from registration to release, and says what comes of it', () => {
    const output = pasteCommands('docs/account-api.md', /## From registration to release\n[^]*/);
    const said = ['Registered', 'Wallet connected', 'Balances', 'Transactions', 'Projects', 'Escrow funded', 'Escrow released'];
    for (const message of said) expect(output).toContain(`"ok":true,"message":"${message}"`);
    for (const available of ['150', '50', '95']) expect(output).toContain(`{"currency":"USD","available":${available},"held":0}`);
    for (const status of ['TOPUP_SUCCEEDED', 'funded', 'in_progress', 'released', 'completed', 'CLOSED'])
      expect(output).toContain(`"status":"${status}"`);
    expect(output).toMatch(/"description":"Top-up"[^\n]*"page":2,"limit":1,"total":2/);
    expect(output).not.toMatch(/"ok":false|"error"/);
    expect(new Set([...output.matchAll(/"escrow_id":"([^"]*)"/g)].map(([, escrowId]) => escrowId)).size).toBe(1);
  });
});

describeAccountApi(() => {
  const { baseUrl, masterKey, sandboxUrl } = installation;
  return {
    baseUrl,
    reader,
    api: apiOf(baseUrl, masterKey),
    sandbox: sandboxControl(sandboxUrl),
    settings: { HOLDFAST_DATA_DIR: dataDir },
  };
});
