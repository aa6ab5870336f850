import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pasteCommands } from './readme.js';
import type { WholePlatform } from './platform.js';

/** The guide to statements, pasted as its reader would. */
export function describeStatementsGuide(platform: () => WholePlatform): void {
  describe('the guide to statements', () => {
    it('has a walk-through: a statement as JSON, and through the gateway as a whole file', () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-statement-'));
      const output = pasteCommands(platform(), 'docs/guides/statements.md', /## A month of a seller\n[^]*?(?=## What is)/, {
        'statement.csv': path.join(folder, 'statement.csv'),
      });
      rmSync(folder, { recursive: true });
      expect(output).not.toMatch(/"error":\{/);
      expect(output).toContain(
        '"closing":{"available":"60.10","reserved":"30.00"},"totals":{"in":"100.00","out":"9.90","fees":"0.00"}',
      );
      expect(output).toContain('"description":"Reserved: deposit for a stand"');
      expect(output).toMatch(
        /,DEBIT,-9\.90,60\.10,30\.00,tr_\w+,,,,,"Fee, all of January"\r\nclosing,,,60\.10,30\.00,,,,,,\r\n$/,
      );
    });
  });
}
