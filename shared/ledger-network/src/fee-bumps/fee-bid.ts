/** What a fee bump offers for each operation at most, in units of 10^-7 XLM. */
export type FeeBid = {
  readonly units: bigint;
  /** The first ledger that was seen to close without the transaction since then; undefined before. */
  readonly sinceLedger: number | undefined;
  /** The highest bid was not enough: two ledgers have closed without the transaction. */
  readonly isStuck: boolean;
};

export type BidLimits = {
  /** The bid inside the transaction. The network refuses a fee bump that bids less. */
  readonly innerUnits: bigint;
  readonly unitsMax: bigint;
};

/** The network refuses less. */
export const bidUnitsMin = 100n;
/** The network lets a fee bump replace a waiting one only for ten times its bid. */
const raiseFactor = 10n;
const ledgersBeforeRaise = 2;

/** The bid of a transaction that has not been submitted yet. `currentUnits` is the network's current fee for an operation. */
export function firstBid(currentUnits: bigint, limits: BidLimits): FeeBid {
  return { units: limited(currentUnits, limits), sinceLedger: undefined, isStuck: false };
}

/**
 * The bid of a transaction that is not in `latestLedger`. It stays the same for two ledgers, so that nodes recognize the fee bump,
 * and is then raised up to the limit.
 */
export function nextBid(bid: FeeBid, latestLedger: number, limits: BidLimits): FeeBid {
  const { units, sinceLedger = latestLedger } = bid;
  if (latestLedger - sinceLedger < ledgersBeforeRaise) return { ...bid, sinceLedger };
  const raised = limited(units * raiseFactor, limits);
  return raised === units ? { ...bid, isStuck: true } : { units: raised, sinceLedger: latestLedger, isStuck: false };
}

function limited(units: bigint, { innerUnits, unitsMax }: BidLimits): bigint {
  return larger(innerUnits, larger(bidUnitsMin, units < unitsMax ? units : unitsMax));
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
