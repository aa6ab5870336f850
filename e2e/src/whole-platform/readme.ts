import { commandsIn, pasteIntoShell, readPage } from '../guides/snippets.js';
import { runProgram } from '../testing/program.js';
import type { WholePlatform } from './platform.js';

/** What a person who pastes the commands of a section sees, with base URL and key of this platform. */
function pasteCommands({ baseUrl, masterKey }: WholePlatform, page: string, section: RegExp): Promise<string> {
  const found = section.exec(readPage(page))?.[0];
  if (found === undefined) throw new Error(`${page} has no walk-through`);
  return pasteIntoShell(
    commandsIn(found)
      .replace(/^API=.*$/m, `API=${baseUrl}`)
      .replace(/hk_master_…/g, masterKey),
  );
}

/** The pages that a newcomer reads first. They need a platform on which nothing else happens, because they compare its books. */
export function describeReadme(platform: () => WholePlatform): void {
  describe('the README', () => {
    it('pays an order, from a credit to the release', async () => {
      const output = await pasteCommands(platform(), 'README.md', /## One order\n[^]*?(?=\n## )/);
      for (const status of ['FUNDS_RESERVED', 'ESCROW_FUNDING', 'IN_PROGRESS', 'CLOSED'])
        expect(output).toContain(`"status":"${status}"`);
      expect(output).toContain('"available":"95.00"');
      expect(output).not.toContain('"error"');
    });

    it('names a demo that tops up, runs a release, a refund, a split dispute and a withdrawal, and verifies the ledger', async () => {
      const { code, output } = await runProgram('demo', platform().settings);
      expect(output).toMatch(
        /release +CLOSED[^]*95\.00 USD[^]*refund +CLOSED[^]*resolve +RESOLVED[^]*57\.00 USD[^]*WITHDRAWAL_COMPLETED/,
      );
      expect(output).toContain('TOPUP_SUCCEEDED');
      expect(output).toMatch(/Payment for order ord_\w+, milestone draft[^]*52\.25 in, 0\.00 out/);
      expect(output).toContain('Sound: every rule of the books holds.');
      expect(code).toBe(0);
    });

    it('names a command that lists open saga runs', async () => {
      const { code, output } = await runProgram('sagas', platform().settings, 'list');
      expect([code, output]).toEqual([0, 'No saga runs are open.\n']);
    });
  });

  describe('the page about the account API', () => {
    it('has a walk-through from registration to release, and says what comes of it', async () => {
      const output = await pasteCommands(platform(), 'docs/account-api.md', /## From registration to release\n[^]*/);
      const said = ['Registered', 'Wallet connected', 'Balances', 'Transactions', 'Projects', 'Escrow funded', 'Escrow released'];
      for (const message of said) expect(output).toContain(`"ok":true,"message":"${message}"`);
      for (const available of ['150', '50', '95'])
        expect(output).toContain(`{"currency":"USD","available":${available},"held":0}`);
      for (const status of ['TOPUP_SUCCEEDED', 'funded', 'in_progress', 'released', 'completed', 'CLOSED'])
        expect(output).toContain(`"status":"${status}"`);
      expect(output).toMatch(/"description":"Top-up"[^\n]*"page":2,"limit":1,"total":2/);
      expect(output).not.toMatch(/"ok":false|"error"/);
      expect(new Set([...output.matchAll(/"escrow_id":"([^"]*)"/g)].map(([, escrowId]) => escrowId)).size).toBe(1);
    });
  });
}
