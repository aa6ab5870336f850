import { depositsOf, legsOf } from './legs.js';
import type { LedgerOperation, Transfer } from '@holdfast/ledger-network/values';
import type { OwnPlace, PlaceOf } from './ports.js';

const places = new Map<string, OwnPlace>([
  ['treasury', { place: 'treasury' }],
  ['channel', { place: 'treasury' }],
  ['platform', { place: 'platform' }],
  ['wallet', { place: 'wallet', ownerId: 'usr_1', marketplaceId: 'mkt_1' }],
  ['contract', { place: 'contract', ownerId: 'ord_1', marketplaceId: 'mkt_1' }],
]);
const placeOf: PlaceOf = (address) => places.get(address);

const at = '2026-01-31T12:00:00.000000Z';

function anOperation(transfers: readonly Transfer[], feeFrom = 'stranger', transactionHash = 'tx'): LedgerOperation {
  const fee = { address: feeFrom, units: 100n };
  return { id: '1', type: 'payment', transactionHash, isSuccessful: true, at, transfers, fee };
}

const moved = (from: string, to: string, units: bigint, asset: Transfer['asset'] = 'USDC'): Transfer => ({
  from,
  to,
  units,
  asset,
});

describe('the legs of a transaction', () => {
  it('cover every transfer and the fee', () => {
    const release = anOperation(
      [moved('contract', 'maker', 3n), moved('contract', 'platform', 50n), moved('contract', 'wallet', 947n)],
      'wallet',
    );
    expect(legsOf([release], placeOf)).toEqual([
      { place: 'contract', ownerId: 'ord_1', asset: 'USDC', units: -1_000n },
      { place: 'provider_fees', asset: 'USDC', units: 3n },
      { place: 'platform', asset: 'USDC', units: 50n },
      { place: 'wallet', ownerId: 'usr_1', asset: 'USDC', units: 947n },
      { place: 'wallet', ownerId: 'usr_1', asset: 'XLM', units: -100n },
      { place: 'network_fees', asset: 'XLM', units: 100n },
    ]);
  });

  it('sum to zero for each asset, with the fee counted once for all operations', () => {
    const operations = [
      anOperation([moved('treasury', 'wallet', 5n, 'XLM'), moved('stranger', 'wallet', 7n)], 'treasury'),
      anOperation([moved('wallet', 'somebody', 2n)], 'treasury'),
    ];
    const legs = legsOf(operations, placeOf);
    for (const asset of ['USDC', 'XLM']) {
      const ofAsset = legs.filter((leg) => leg.asset === asset);
      expect(ofAsset.reduce((sum, { units }) => sum + units, 0n)).toBe(0n);
    }
    expect(legs.find(({ place }) => place === 'network_fees')?.units).toBe(100n);
  });

  it.each(['treasury', 'channel', 'platform'])('are capital where something arrives at %s from outside', (address) => {
    const place = address === 'platform' ? 'platform' : 'treasury';
    expect(legsOf([anOperation([moved('owner', address, 9n)])], placeOf)).toEqual([
      { place: 'capital', asset: 'USDC', units: -9n },
      { place, asset: 'USDC', units: 9n },
    ]);
  });

  it('are only the fee between two accounts of one place, and empty between external addresses', () => {
    expect(legsOf([anOperation([moved('treasury', 'channel', 9n)], 'treasury')], placeOf)).toEqual([
      { place: 'treasury', asset: 'XLM', units: -100n },
      { place: 'network_fees', asset: 'XLM', units: 100n },
    ]);
    expect(legsOf([anOperation([moved('stranger', 'somebody', 9n)])], placeOf)).toEqual([]);
  });
});

describe('the legs of burned tokens', () => {
  it('go to the world, not to the provider', () => {
    expect(legsOf([anOperation([moved('contract', '', 4n)])], placeOf)).toEqual([
      { place: 'contract', ownerId: 'ord_1', asset: 'USDC', units: -4n },
      { place: 'world', asset: 'USDC', units: 4n },
    ]);
  });
});

describe('a deposit', () => {
  it('may be minted, and may come from a contract of a stranger', () => {
    const operation = anOperation([moved('', 'wallet', 5n), moved('CSTRANGER', 'wallet', 6n)]);
    expect(depositsOf([operation], placeOf).map(({ units }) => units)).toEqual([5n, 6n]);
  });

  it('comes from an external address only', () => {
    const transfers = ['treasury', 'platform', 'contract', 'stranger'].map((from) => moved(from, 'wallet', 5n));
    expect(depositsOf([anOperation(transfers)], placeOf)).toEqual([
      {
        userId: 'usr_1',
        marketplaceId: 'mkt_1',
        operationId: '1',
        transactionHash: 'tx',
        landedAt: at,
        asset: 'USDC',
        units: 5n,
      },
    ]);
  });

  it('has its own operation id if one operation pays twice', () => {
    const operation = anOperation([moved('stranger', 'wallet', 5n), moved('stranger', 'wallet', 6n, 'XLM')]);
    expect(depositsOf([operation], placeOf).map(({ operationId }) => operationId)).toEqual(['1', '1-1']);
  });
});
