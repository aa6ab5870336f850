import type { AssetKey } from './assets.js';

export type Price = { readonly n: number; readonly d: number };

/** An open offer. The price is what one unit of the sold asset costs in the bought one. */
export type Offer = {
  readonly id: string;
  readonly selling: AssetKey;
  readonly buying: AssetKey;
  readonly units: bigint;
  readonly price: Price;
  readonly isPassive: boolean;
};
