import { custodyAssets, parseUnits, type Currency, type CustodyAsset } from '@holdfast/kernel/money';

/** Tokens have currencies of their own in the journal, so that they never mix with what users are owed. */
export type ChainCurrency = `chain:${CustodyAsset}`;

export function chainCurrency(asset: CustodyAsset): ChainCurrency {
  return `chain:${asset}`;
}

/** Which token a balance is backed by: dollars are escrowed and paid as USDC, one to one. */
export function assetOf(currency: Currency): CustodyAsset {
  return currency === 'XLM' ? 'XLM' : 'USDC';
}

/** Names an account of custody: `treasury`, `wallet:usr_1`, `contract:ord_1`. */
export function custodyOwner(place: string, ownerId?: string): string {
  return ownerId === undefined ? place : `${place}:${ownerId}`;
}

/** What a transaction moved at one place: a decimal text, below zero where tokens left. */
export type LandedLeg = {
  readonly place: string;
  readonly ownerId?: string | undefined;
  readonly asset: CustodyAsset;
  readonly amount: string;
};

export type CustodyLeg = { readonly owner: string; readonly units: bigint };

/** What one landed transaction moved of one asset. Its legs sum to zero. */
export type CustodyTransfer = {
  readonly currency: ChainCurrency;
  readonly legs: readonly CustodyLeg[];
};

/** One transfer per asset. Throws where tokens would come from nowhere. */
export function custodyTransfersOf(legs: readonly LandedLeg[]): readonly CustodyTransfer[] {
  return custodyAssets.flatMap((asset) => {
    const booked = legs
      .filter((leg) => leg.asset === asset)
      .map(({ place, ownerId, amount }) => ({ owner: custodyOwner(place, ownerId), units: parseUnits(amount) }))
      .filter(({ units }) => units !== 0n);
    const sum = booked.reduce((total, { units }) => total + units, 0n);
    if (sum !== 0n) throw new Error(`the legs in ${asset} sum to ${sum.toString()} units and not to zero`);
    return booked.length === 0 ? [] : [{ currency: chainCurrency(asset), legs: booked }];
  });
}
