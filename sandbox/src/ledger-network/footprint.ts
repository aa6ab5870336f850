import type { xdr } from '@stellar/stellar-sdk';
import { nativeAsset } from '../domain/assets.js';
import type { Escrow } from '../domain/escrow.js';
import { isLive } from '../domain/lifetimes.js';
import type { ContractEffect } from './apply-contract-call.js';
import { entryKey, readEntryKey, type ContractEntry, type EntryReference } from './entry-reference.js';
import type { Genesis } from './genesis.js';
import type { LedgerView } from './ledger-view.js';
import type { SubmittedFootprint } from './submitted-transaction.js';

/** The entries that a call uses. */
type UsedEntries = { readonly readOnly: readonly EntryReference[]; readonly readWrite: readonly EntryReference[] };

/** The keys of the entries that a transaction uses. The archived entries are named by their indexes in `readWrite`. */
export type Footprint = {
  readonly readOnly: readonly xdr.LedgerKey[];
  readonly readWrite: readonly xdr.LedgerKey[];
  readonly archived: readonly number[];
};

type Called = Pick<ContractEffect, 'after' | 'transfers'> & {
  /** The contract that the transaction calls: the factory or the escrow contract. */
  readonly contractId: string;
};

/** The ledger entries that a call reads and writes. */
export function entriesOfCall({ contracts }: Genesis, { contractId, after, transfers }: Called): UsedEntries {
  const isDeployment = contractId !== after.contractId;
  const code: EntryReference = { kind: 'code', wasmHash: contracts[after.type].wasmHash };
  const [own, ...stored] = entriesOfEscrow(after);
  const holders = new Set(transfers.flatMap(({ from, to }) => [from, to]));
  const balances = [...holders].map((holder) => balanceEntry(holder, after));
  const isOwnWritten = isDeployment || after.type === 'multi-release';
  return {
    readOnly: [
      code,
      ...(isDeployment ? [instanceEntry(contractId)] : []),
      ...(isOwnWritten ? [] : [own]),
      ...(transfers.length > 0 ? [instanceEntry(after.token)] : []),
    ],
    readWrite: [...(isOwnWritten ? [own] : []), ...stored, ...balances],
  };
}

/** The instance of an escrow contract, and the entry in which a single-release contract stores its struct. */
export function entriesOfEscrow({ contractId, type }: Escrow): readonly [ContractEntry, ...ContractEntry[]] {
  const stored = { kind: 'contract', contractId, name: 'escrow' } as const;
  return [instanceEntry(contractId), ...(type === 'single-release' ? [stored] : [])];
}

function instanceEntry(contractId: string): ContractEntry {
  return { kind: 'contract', contractId, name: 'instance' };
}

/** A contract's balance is data of the token's contract; an account's balance is in its trustline or in the account itself. */
function balanceEntry(holder: string, { token, asset }: Escrow): EntryReference {
  if (holder.startsWith('C')) return { kind: 'contract', contractId: holder, name: 'balance', token };
  return asset === nativeAsset ? { kind: 'account', address: holder } : { kind: 'trustline', address: holder, asset };
}

/** Restoring an entry is a write, so an archived entry that the call only reads is among the written ones. */
export function footprintOf({ head, find }: LedgerView, { readOnly, readWrite }: UsedEntries): Footprint {
  const nextLedger = head.sequence + 1;
  const isArchived = (entry: EntryReference): boolean => {
    const lifetime = entry.kind === 'contract' ? find('lifetimes', entry.contractId)?.[entry.name] : undefined;
    return lifetime !== undefined && !isLive(lifetime, nextLedger);
  };
  const written = [...readWrite, ...readOnly.filter(isArchived)];
  return {
    readOnly: readOnly.filter((entry) => !isArchived(entry)).map(entryKey),
    readWrite: written.map(entryKey),
    archived: written.flatMap((entry, index) => (isArchived(entry) ? [index] : [])),
  };
}

/** The entries of contracts in the footprint of a submitted transaction. */
export function readFootprint(resources: xdr.SorobanTransactionData): SubmittedFootprint {
  const keys = resources.resources().footprint();
  const extension = resources.ext();
  const archived = extension.switch() === 0 ? [] : extension.resourceExt().archivedSorobanEntries();
  const entriesOf = (some: readonly xdr.LedgerKey[]): readonly ContractEntry[] =>
    some.map(readEntryKey).filter((entry) => entry?.kind === 'contract');
  return {
    readOnly: () => entriesOf(keys.readOnly()),
    readWrite: () => entriesOf(keys.readWrite()),
    archived: () => entriesOf(keys.readWrite().filter((_key, index) => archived.includes(index))),
  };
}
