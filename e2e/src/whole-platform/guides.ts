import { openMarketplace } from '../testing/shared-platform.js';
import { pasteGuide } from '../guides/play-guide.js';
import type { WholePlatform } from './platform.js';

/** The guides that each need a separate platform: one compares its books, one sets faults. */
export function describeGuides(platform: () => WholePlatform): void {
  describe('a reader of the guide', () => {
    it('quick-start goes from a top-up over an order to a payout, after which the books agree', async () => {
      const output = await pasteGuide('quick-start', { ...platform(), key: platform().masterKey });
      for (const status of [
        'TOPUP_SUCCEEDED',
        'FUNDS_RESERVED',
        'ESCROW_FUNDING',
        'IN_PROGRESS',
        'CLOSED',
        'WITHDRAWAL_COMPLETED',
      ])
        expect(output).toContain(`"status":"${status}"`);
      expect(output).toContain('"available":"95.00"');
      expect(output).toMatch(/"status":"WITHDRAWAL_[A-Z]+","destinationType":"ledger"/);
      expect(output).not.toContain('"error"');
      const differences = [...output.matchAll(/"difference":"([^"]*)"/g)].map(([, found]) => found);
      expect(differences).toEqual(['0.00', '0.00', '0.00']);
    });

    it('testing triggers events, pays, and sees that an order outlives a fault', async () => {
      const { key } = await openMarketplace(platform(), 'testing');
      const output = await pasteGuide('testing', { ...platform(), key });
      expect(output).toMatch(/RESOLVED[^]*TOPUP_SUCCEEDED[^]*error-after-effect[^]*CLOSED/);
    });
  });
}
