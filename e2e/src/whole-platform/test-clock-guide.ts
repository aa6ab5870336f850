import { pasteCommands } from './readme.js';
import type { WholePlatform } from './platform.js';

/** The guide to the test clock, pasted as its reader would. */
export function describeTestClockGuide(platform: () => WholePlatform): void {
  describe('the guide to the test clock', () => {
    it('has a walk-through in which two weeks of silence pay the seller at once', () => {
      const output = pasteCommands(
        platform(),
        'docs/guides/test-clock.md',
        /## Two weeks in a second\n[^]*?(?=## What an advance)/,
      );
      expect(output).not.toMatch(/"error":\{/);
      expect(output).toContain('"offsetSeconds":1209600');
      expect(output).toMatch(/"status":"CLOSED"[^]*"available":"95.00"/);
    });
  });
}
