import type { BalanceChange } from '@holdfast/ledger-network/rpc';
import type { Claim, PlaceOf } from './ports.js';
import type { LedgerOperation } from '@holdfast/ledger-network/values';

/** The claims of a transaction, summed for each operation, address and asset. */
export function claimsOf(operations: readonly LedgerOperation[], placeOf: PlaceOf): readonly Claim[] {
  return operations.flatMap((operation) => [...transferred(operation, placeOf), ...claimable(operation, placeOf)]);
}

function transferred(operation: LedgerOperation, placeOf: PlaceOf): readonly Claim[] {
  const sums = new Map<string, Claim>();
  const add = (change: BalanceChange): void => {
    if (placeOf(change.address) === undefined) return;
    const key = `${change.address} ${change.asset}`;
    const units = (sums.get(key)?.units ?? 0n) + change.units;
    sums.set(key, { ...change, units, operation: indexOf(operation), isClaimable: false });
  };
  for (const { from, to, asset, units } of operation.transfers) {
    add({ address: from, asset, units: -units });
    add({ address: to, asset, units });
  }
  return [...sums.values()].filter(({ units }) => units !== 0n);
}

function claimable(operation: LedgerOperation, placeOf: PlaceOf): readonly Claim[] {
  if (operation.claimable === undefined) return [];
  const { claimants, asset, units } = operation.claimable;
  return [...new Set(claimants)]
    .filter((address) => placeOf(address) !== undefined)
    .map((address) => ({ address, asset, units, operation: indexOf(operation), isClaimable: true }));
}

/** An id has three parts: 32 bits for the ledger, 20 for the transaction in it, 12 for the operation, counted from one. */
function indexOf({ id }: LedgerOperation): number {
  return Number(BigInt(id) & 0xfffn) - 1;
}

/** The ledger of an operation, from its id. */
export function ledgerOf({ id }: Pick<LedgerOperation, 'id'>): number {
  return Number(BigInt(id) >> 32n);
}
