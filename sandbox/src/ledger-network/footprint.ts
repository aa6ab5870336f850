import { Asset, Keypair, xdr } from '@stellar/stellar-sdk';
import { scAddress } from '../contract-calls/addresses.js';
import { issuedAsset, type AssetKey } from '../domain/assets.js';
import * as wire from '../contract-calls/wire-values.js';
import { isLive } from '../domain/lifetimes.js';
import type { ContractEffect } from './apply-contract-call.js';
import { readEntryKey, type ContractEntry } from './entry-reference.js';
import type { Genesis } from './genesis.js';
import type { LedgerView } from './ledger-view.js';
import type { SubmittedFootprint } from './submitted-transaction.js';

/** The keys of the entries that a transaction uses. */
type Keys = { readonly readOnly: readonly xdr.LedgerKey[]; readonly readWrite: readonly xdr.LedgerKey[] };

/** The archived entries are named by their indexes in `readWrite`. */
export type Footprint = Keys & { readonly archived: readonly number[] };

type Called = Pick<ContractEffect, 'after' | 'transfers'> & {
  /** The contract that the transaction calls: the factory or the escrow contract. */
  readonly contractId: string;
};

/** The ledger entries that a call reads and writes. */
export function footprintOf({ contracts }: Genesis, { contractId, after, transfers }: Called): Keys {
  const isDeployment = contractId !== after.contractId;
  const code = codeKey(contracts[after.type].wasmHash);
  const own = instanceKey(after.contractId);
  const stored = after.type === 'single-release' ? [escrowKey(after.contractId)] : [];
  const holders = new Set(transfers.flatMap(({ from, to }) => [from, to]));
  const balances = [...holders].map((holder) => balanceKey(holder, after.token, after.asset));
  const isOwnWritten = isDeployment || after.type === 'multi-release';
  return {
    readOnly: [
      code,
      ...(isDeployment ? [instanceKey(contractId)] : []),
      ...(isOwnWritten ? [] : [own]),
      ...(transfers.length > 0 ? [instanceKey(after.token)] : []),
    ],
    readWrite: [...(isOwnWritten ? [own] : []), ...stored, ...balances],
  };
}

/** Restoring an entry is a write, so an archived entry that the call only reads is among the written ones. */
export function withArchived({ head, find }: LedgerView, { readOnly, readWrite }: Keys): Footprint {
  const nextLedger = head.sequence + 1;
  const isArchived = (key: xdr.LedgerKey): boolean => {
    const entry = readEntryKey(key);
    const lifetime = entry?.kind === 'contract' ? find('lifetimes', entry.contractId)?.[entry.name] : undefined;
    return lifetime !== undefined && !isLive(lifetime, nextLedger);
  };
  const archived = new Set([...readOnly, ...readWrite].filter(isArchived));
  const written = [...readWrite, ...readOnly.filter((key) => archived.has(key))];
  return {
    readOnly: readOnly.filter((key) => !archived.has(key)),
    readWrite: written,
    archived: written.flatMap((key, index) => (archived.has(key) ? [index] : [])),
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
    readOnly: entriesOf(keys.readOnly()),
    readWrite: entriesOf(keys.readWrite()),
    archived: entriesOf(keys.readWrite().filter((_key, index) => archived.includes(index))),
  };
}

function codeKey(wasmHash: string): xdr.LedgerKey {
  return xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(wasmHash, 'hex') }));
}

export function instanceKey(contractId: string): xdr.LedgerKey {
  return dataKey(contractId, xdr.ScVal.scvLedgerKeyContractInstance());
}

/** The entry in which a single-release contract stores its struct. */
export function escrowKey(contractId: string): xdr.LedgerKey {
  return dataKey(contractId, wire.vec([wire.symbol('Escrow')]));
}

/** A contract's balance is data of the token's contract; an account's balance is in its trustline or in the account itself. */
function balanceKey(holder: string, token: string, asset: AssetKey): xdr.LedgerKey {
  if (holder.startsWith('C')) return dataKey(token, wire.vec([wire.symbol('Balance'), wire.address(holder)]));
  const accountId = Keypair.fromPublicKey(holder).xdrAccountId();
  const issued = issuedAsset(asset);
  if (issued === undefined) return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
  const line = new Asset(issued.code, issued.issuer).toTrustLineXDRObject();
  return xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset: line }));
}

function dataKey(contractId: string, key: xdr.ScVal): xdr.LedgerKey {
  const contract = scAddress(contractId);
  const durability = xdr.ContractDataDurability.persistent();
  return xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability }));
}
