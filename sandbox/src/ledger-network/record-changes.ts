import type { Account } from '../domain/account.js';
import { accountChanges, balanceChanges, type ContractBalance, type EntryChange } from '../domain/entry-changes.js';
import type { TableName } from '../store/records.js';
import type { StoreTransaction } from '../store/store.js';

export type Recording = {
  /** Writes of the operation go through this one. */
  readonly transaction: StoreTransaction;
  /** The entries of the ledger that the operation has changed so far. */
  readonly changes: () => readonly EntryChange[];
};

/** Records the entries that one operation changes: accounts, trustlines, balances of contracts and claimable balances. */
export function recordChanges(inner: StoreTransaction): Recording {
  const accounts = new Map<string, Account | undefined>();
  const balances = new Map<string, ContractBalance | undefined>();
  const claimables = new Set<string>();
  const note = (table: TableName, key: string): void => {
    if (table === 'accounts' && !accounts.has(key)) accounts.set(key, inner.find('accounts', key));
    if ((table === 'escrows' || table === 'lifetimes') && !balances.has(key)) balances.set(key, balanceOf(inner, key));
    if (table === 'claimableBalances') claimables.add(key);
  };
  return {
    transaction: {
      ...inner,
      put: (table, key, value) => {
        note(table, key);
        inner.put(table, key, value);
      },
      remove: (table, key) => {
        note(table, key);
        inner.remove(table, key);
      },
    },
    changes: () => [
      ...[...accounts].flatMap(([id, before]) => accountChanges(id, { before, after: inner.find('accounts', id) })),
      ...[...balances].flatMap(([id, before]) => balanceChanges(id, { before, after: balanceOf(inner, id) })),
      ...[...claimables].map((id) => ({ kind: 'claimable' as const, id, after: inner.find('claimableBalances', id) })),
    ],
  };
}

/** A contract has no balance entry before its first transfer, which starts the entry's lifetime. */
function balanceOf({ find }: StoreTransaction, contractId: string): ContractBalance | undefined {
  const escrow = find('escrows', contractId);
  if (escrow === undefined || find('lifetimes', contractId)?.balance === undefined) return undefined;
  return { token: escrow.token, units: escrow.balanceUnits };
}
