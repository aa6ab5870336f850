import { openingBalances } from './opening-balances.js';
import type { OwnPlace } from './ports.js';

const platformPlaces = new Map<string, OwnPlace>([
  ['treasury', { place: 'treasury' }],
  ['channel', { place: 'treasury' }],
  ['platform', { place: 'platform' }],
]);

describe('opening balances', () => {
  it('are what the accounts of the platform hold after one ledger, put in by its owners', async () => {
    const accounts = new Map([
      ['treasury', { balances: { USDC: 5n, XLM: 100n }, reservedUnits: 0n }],
      ['channel', { balances: { USDC: 2n, XLM: 0n }, reservedUnits: 0n }],
      ['platform', { balances: { XLM: 7n }, reservedUnits: 0n }],
    ]);
    const held = () => Promise.resolve({ ledger: 9, accounts, contractUnits: new Map<string, bigint>() });
    const opening = await openingBalances({ rpc: { held }, platformPlaces })();
    expect(opening).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      ledger: 9,
      legs: [
        { place: 'treasury', asset: 'USDC', units: 7n },
        { place: 'capital', asset: 'USDC', units: -7n },
        { place: 'treasury', asset: 'XLM', units: 100n },
        { place: 'capital', asset: 'XLM', units: -107n },
        { place: 'platform', asset: 'XLM', units: 7n },
      ],
    });
  });
});
