import type { CustodyAsset } from '@holdfast/kernel/money';

export type Holder = {
  readonly balances: Readonly<Partial<Record<CustodyAsset, bigint>>>;
  /** XLM that the account cannot spend: the network's reserve for its entries. */
  readonly reservedUnits: bigint;
};

/** What the account can spend of the asset; the fees of its transactions are paid by the treasury. */
export function spendableUnits({ balances, reservedUnits }: Holder, asset: CustodyAsset): bigint {
  const units = (balances[asset] ?? 0n) - (asset === 'XLM' ? reservedUnits : 0n);
  return units < 0n ? 0n : units;
}

/** Entries of the ledger that need a reserve. */
export type AccountEntries = { readonly subentries: number; readonly sponsoring: number; readonly sponsored: number };

const reserveUnitsPerEntry = 5_000_000n;
const ownEntries = 2;

/** The sponsor of an entry keeps its reserve. */
export function reservedUnitsOf({ subentries, sponsoring, sponsored }: AccountEntries): bigint {
  return BigInt(ownEntries + subentries + sponsoring - sponsored) * reserveUnitsPerEntry;
}
