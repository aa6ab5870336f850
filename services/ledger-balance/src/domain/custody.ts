import { custodyAssets, parseUnits, type Currency, type CustodyAsset } from '@holdfast/kernel/money';

/** Tokens have separate currencies in the journal, so that they never mix with the balances of users. */
export type ChainCurrency = `chain:${CustodyAsset}`;

export function chainCurrency(asset: CustodyAsset): ChainCurrency {
  return `chain:${asset}`;
}

export function assetOfChain(currency: ChainCurrency): CustodyAsset {
  return currency === 'chain:XLM' ? 'XLM' : 'USDC';
}

/** The token that backs a currency. Dollars are escrowed and paid as USDC, one to one. */
export function assetOf(currency: Currency): CustodyAsset {
  return currency === 'XLM' ? 'XLM' : 'USDC';
}

/** The owner of a custody account: `treasury`, `wallet:usr_1`, `contract:ord_1`. */
export function custodyOwner(place: string, ownerId?: string): string {
  return ownerId === undefined ? place : `${place}:${ownerId}`;
}

/** The inverse of `custodyOwner`. */
export function custodyPlaceOf(owner: string): { readonly place: string; readonly ownerId: string | null } {
  const colon = owner.indexOf(':');
  return colon < 0 ? { place: owner, ownerId: null } : { place: owner.slice(0, colon), ownerId: owner.slice(colon + 1) };
}

/** Where tokens go that the platform no longer holds. `capital` is what its owners have taken out of the treasury. */
export const outsidePlaces = ['world', 'capital', 'provider_fees', 'network_fees'] as const;

/** What a transaction moved at one place. The amount is a decimal text, negative if tokens left. */
export type LandedLeg = {
  readonly place: string;
  readonly ownerId?: string | undefined;
  readonly asset: CustodyAsset;
  readonly amount: string;
};

export type CustodyLeg = { readonly owner: string; readonly units: bigint };

/** The movements of one asset in one landed transaction. Its legs sum to zero. */
export type CustodyTransfer = {
  readonly currency: ChainCurrency;
  readonly legs: readonly CustodyLeg[];
};

/** One transfer per asset. Throws if the legs of an asset do not sum to zero. */
export function custodyTransfersOf(legs: readonly LandedLeg[]): readonly CustodyTransfer[] {
  return custodyAssets.flatMap((asset) => {
    const moved = legs
      .filter((leg) => leg.asset === asset)
      .map(({ place, ownerId, amount }) => ({ owner: custodyOwner(place, ownerId), units: parseUnits(amount) }))
      .filter(({ units }) => units !== 0n);
    const sum = moved.reduce((total, { units }) => total + units, 0n);
    if (sum !== 0n) throw new Error(`the legs in ${asset} sum to ${sum.toString()} units and not to zero`);
    return moved.length === 0 ? [] : [{ currency: chainCurrency(asset), legs: moved }];
  });
}
