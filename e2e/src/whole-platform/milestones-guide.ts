import { pasteCommands } from './readme.js';
import type { WholePlatform } from './platform.js';

/** The guide to milestones, pasted as its reader would. */
export function describeMilestonesGuide(platform: () => WholePlatform): void {
  describe('the guide to milestones', () => {
    it('has a walk-through: one is released by hand, one by silence, one is disputed and split', () => {
      const output = pasteCommands(
        platform(),
        'docs/guides/milestones.md',
        /## An order of three milestones\n[^]*?(?=## What a)/,
      );
      expect(output).not.toMatch(/"error":\{/);
      expect(output).toContain('"sellerAmount":"25.00","platformFee":"1.25","sellerNet":"23.75","buyerAmount":"15.00"');
      const amounts = '"amounts":{"funded":"100.00","released":"85.00","refunded":"15.00","disputed":"0.00","inEscrow":"0.00"}';
      expect(output).toContain(`"closeReason":"SPLIT","operation":null,${amounts}`);
      expect(output).toMatch(/"available":"80.75"[^]*"available":"15.00"/);
    });
  });
}
