import { firstBid, nextBid, type BidLimits, type FeeBid } from './fee-bid.js';

const limits: BidLimits = { innerUnits: 100n, unitsMax: 1_000_000n };

describe('the first bid', () => {
  it.each([
    ["the network's current fee", 700n, limits, 700n],
    ["at least the network's minimum", 0n, { ...limits, innerUnits: 0n }, 100n],
    ['at least what the transaction bids itself', 700n, { ...limits, innerUnits: 900n }, 900n],
    ['at most the limit', 7_000_000n, limits, 1_000_000n],
    ['what the transaction bids itself even above the limit', 100n, { ...limits, innerUnits: 2_000_000n }, 2_000_000n],
  ] as const)('is %s', (_, current, given, units) => {
    expect(firstBid(current, given)).toEqual({ units, sinceLedger: undefined, isStuck: false });
  });
});

describe('the next bid', () => {
  const bid: FeeBid = { units: 700n, sinceLedger: 50, isStuck: false };

  it('is the same at first, and remembers the ledger', () => {
    expect(nextBid({ ...bid, sinceLedger: undefined }, 50, limits)).toEqual(bid);
  });

  it('is the same for two ledgers', () => {
    expect(nextBid(bid, 51, limits)).toEqual(bid);
  });

  it('is ten times as high after two ledgers', () => {
    expect(nextBid(bid, 52, limits)).toEqual({ units: 7_000n, sinceLedger: 52, isStuck: false });
  });

  it('is not raised because of a node that is behind', () => {
    expect(nextBid(bid, 49, limits)).toEqual(bid);
  });

  it('reaches the limit, and is stuck two ledgers later', () => {
    const highest = { units: 1_000_000n, sinceLedger: 60, isStuck: false };
    expect(nextBid({ ...bid, units: 300_000n }, 60, limits)).toEqual(highest);
    expect(nextBid(highest, 61, limits)).toEqual(highest);
    expect(nextBid(highest, 62, limits)).toEqual({ ...highest, isStuck: true });
  });

  it('of a transaction that bids more than the limit itself is stuck at its own', () => {
    const own = { ...limits, innerUnits: 2_000_000n };
    const stuck = { units: 2_000_000n, sinceLedger: 50, isStuck: true };
    expect(nextBid({ ...bid, units: 2_000_000n }, 52, own)).toEqual(stuck);
  });
});
