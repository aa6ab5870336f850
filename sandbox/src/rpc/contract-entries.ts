import { xdr } from '@stellar/stellar-sdk';
import { scAddress } from '../contract-calls/addresses.js';
import { balanceKey, escrowKey, instanceKey } from '../contract-calls/data-keys.js';
import { escrowStruct } from '../contract-calls/escrow-struct.js';
import * as wire from '../contract-calls/wire-values.js';
import type { ContractBalance } from '../domain/entry-changes.js';
import { escrowTypes, type Escrow } from '../domain/escrow.js';
import { entryLifeMax, isLive } from '../domain/lifetimes.js';
import type { ContractEntry } from '../ledger-network/entry-reference.js';
import type { EntrySources, FoundEntry } from './found-entry.js';

const noExtension = new xdr.ExtensionPoint(0);

/** An entry of an escrow contract, unless it is archived, or the instance of a factory or of a token's contract. */
export function contractEntry(sources: EntrySources, reference: ContractEntry): FoundEntry | undefined {
  const escrow = sources.view.find('escrows', reference.contractId);
  if (escrow === undefined) return reference.name === 'instance' ? genesisInstance(sources, reference.contractId) : undefined;
  const lifetime = sources.view.find('lifetimes', escrow.contractId)?.[reference.name];
  if (lifetime === undefined || !isLive(lifetime, sources.view.head.sequence)) return undefined;
  if (reference.name === 'balance' && reference.token !== escrow.token) return undefined;
  const { modifiedLedger, liveUntilLedger } = lifetime;
  return { data: dataOf(sources, escrow, reference), modifiedLedger, liveUntilLedger };
}

function dataOf({ genesis }: EntrySources, escrow: Escrow, { name }: ContractEntry): xdr.LedgerEntryData {
  const { contractId, token, type, balanceUnits } = escrow;
  if (name === 'escrow') return contractData(contractId, escrowKey, escrowStruct(escrow));
  if (name === 'balance') return balanceData(contractId)({ token, units: balanceUnits });
  const isStoredInside = type === 'multi-release';
  const storage = isStoredInside ? [new xdr.ScMapEntry({ key: escrowKey, val: escrowStruct(escrow) })] : null;
  return instance(contractId, wasmExecutable(genesis.contracts[type].wasmHash), storage);
}

export function balanceData(holder: string): (balance: ContractBalance) => xdr.LedgerEntryData {
  const key = balanceKey(holder);
  return ({ token, units }) => {
    const value = wire.struct({ amount: wire.i128(units), authorized: wire.bool(true), clawback: wire.bool(false) });
    return contractData(token, key, value);
  };
}

function genesisInstance(sources: EntrySources, contractId: string): FoundEntry | undefined {
  const { contracts, tokens } = sources.genesis;
  if (tokens.has(contractId)) {
    return permanent(sources, instance(contractId, xdr.ContractExecutable.contractExecutableStellarAsset(), null));
  }
  const type = escrowTypes.find((each) => contracts[each].factory === contractId);
  if (type === undefined) return undefined;
  return permanent(sources, instance(contractId, wasmExecutable(contracts[type].wasmHash), null));
}

/** The code of the escrow contracts. */
export function codeEntry(sources: EntrySources, wasmHash: string): FoundEntry | undefined {
  const { contracts } = sources.genesis;
  const type = escrowTypes.find((each) => contracts[each].wasmHash === wasmHash);
  if (type === undefined) return undefined;
  const code = { hash: Buffer.from(wasmHash, 'hex'), code: contracts[type].wasm, ext: new xdr.ContractCodeEntryExt(0) };
  return permanent(sources, xdr.LedgerEntryData.contractCode(new xdr.ContractCodeEntry(code)));
}

/** These entries are extended whenever it is necessary. */
function permanent({ view }: EntrySources, data: xdr.LedgerEntryData): FoundEntry {
  const { head, oldest } = view;
  return { data, modifiedLedger: oldest.sequence, liveUntilLedger: head.sequence + entryLifeMax - 1 };
}

function wasmExecutable(wasmHash: string): xdr.ContractExecutable {
  return xdr.ContractExecutable.contractExecutableWasm(Buffer.from(wasmHash, 'hex'));
}

function instance(contractId: string, executable: xdr.ContractExecutable, storage: xdr.ScMapEntry[] | null) {
  const value = xdr.ScVal.scvContractInstance(new xdr.ScContractInstance({ executable, storage }));
  return contractData(contractId, instanceKey, value);
}

function contractData(contractId: string, key: xdr.ScVal, val: xdr.ScVal): xdr.LedgerEntryData {
  const contract = scAddress(contractId);
  const durability = xdr.ContractDataDurability.persistent();
  return xdr.LedgerEntryData.contractData(new xdr.ContractDataEntry({ ext: noExtension, contract, key, durability, val }));
}
