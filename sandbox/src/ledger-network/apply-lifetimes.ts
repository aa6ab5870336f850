import type { ContractEffect } from './apply-contract-call.js';
import { afterCall, entryLifeMax, extended, isLive, newLifetime, type EntryName, type Lifetime } from '../domain/lifetimes.js';
import { OperationFailure } from '../domain/operation-failure.js';
import type { FootprintOperation } from '../store/records.js';
import type { StoreTransaction } from '../store/store.js';
import type { ContractEntry } from './entry-reference.js';
import type { SubmittedFootprint } from './submitted-transaction.js';

/** A call restores the archived entries that its footprint marks, before it uses them. */
export function restoreEntries(transaction: StoreTransaction, entries: readonly ContractEntry[], ledger: number): void {
  for (const entry of entries) {
    changeLifetime(transaction, entry, (lifetime) => (isLive(lifetime, ledger) ? lifetime : newLifetime(ledger)));
  }
}

/** Refuses a call that uses an archived entry, and writes the lifetimes after the call. */
export function applyCallLifetimes(transaction: StoreTransaction, effect: ContractEffect, ledger: number): void {
  const { contractId, type } = effect.after;
  const isSingleRelease = type === 'single-release';
  const hasMovedTokens = effect.transfers.length > 0;
  const lifetimes = transaction.find('lifetimes', contractId) ?? {};
  const used: readonly EntryName[] = ['instance', 'escrow', ...(hasMovedTokens ? ['balance' as const] : [])];
  const archived = used.find((name) => lifetimes[name] !== undefined && !isLive(lifetimes[name], ledger));
  if (archived !== undefined) throw new OperationFailure('entry_archived', `The ${archived} entry of the contract is archived`);
  transaction.put('lifetimes', contractId, afterCall(lifetimes, { isSingleRelease, hasMovedTokens }, ledger));
}

/** Extends the life of the live entries that the footprint reads, or restores the archived ones that it writes. */
export function applyFootprintOperation(
  transaction: StoreTransaction,
  operation: FootprintOperation,
  { readOnly, readWrite }: SubmittedFootprint,
  ledger: number,
): void {
  if (operation.kind === 'restore_footprint') {
    restoreEntries(transaction, readWrite(), ledger);
    return;
  }
  const { extendTo } = operation;
  if (extendTo > entryLifeMax - 1) throw new OperationFailure('op_malformed');
  for (const entry of readOnly()) {
    changeLifetime(transaction, entry, (lifetime) =>
      isLive(lifetime, ledger) ? extended(lifetime, ledger, extendTo) : lifetime,
    );
  }
}

function changeLifetime(
  transaction: StoreTransaction,
  { contractId, name }: ContractEntry,
  change: (lifetime: Lifetime) => Lifetime,
): void {
  const lifetimes = transaction.find('lifetimes', contractId);
  const lifetime = lifetimes?.[name];
  if (lifetime !== undefined) transaction.put('lifetimes', contractId, { ...lifetimes, [name]: change(lifetime) });
}
