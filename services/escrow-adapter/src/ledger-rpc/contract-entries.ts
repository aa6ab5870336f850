import { Address, StrKey, xdr, type rpc } from '@stellar/stellar-sdk';
import { z } from 'zod';
import type { ContractType } from '../domain/contract.js';
import type { ContractEntries, ContractEntry, ContractRef } from '../use-cases/network-ports.js';
import { parseEscrow } from './escrow-entry.js';
import { plainValue } from './plain-values.js';

const ledgerNumber = z.number().int().positive();

/** Reads instance, escrow and token balance of contracts from one ledger. There is no contract without a valid id. */
export async function readContractEntries(server: rpc.Server, refs: readonly ContractRef[]): Promise<ContractEntries> {
  const contracts = refs.filter(({ contractId }) => StrKey.isValidContract(contractId));
  // Nodes refuse a request without keys.
  if (contracts.length === 0) return { latestLedger: (await server.getHealth()).latestLedger, contracts: new Map() };
  const keys = contracts.map(entryKeysOf);
  const { entries, latestLedger } = await server.getLedgerEntries(...keys.flatMap((of) => Object.values(of)));
  const found = new Map(entries.map((entry) => [entry.key.toXDR('base64'), entry]));
  const read = contracts.map((contract, index): readonly [string, ContractEntry] => {
    const of = keys[index];
    const entryAt = (key: xdr.LedgerKey | undefined) => (key === undefined ? undefined : found.get(key.toXDR('base64')));
    const at = { instance: entryAt(of?.instance), escrow: entryAt(of?.escrow), balance: entryAt(of?.balance) };
    return [contract.contractId, toEntry(contract, at)];
  });
  return { latestLedger: ledgerNumber.parse(latestLedger), contracts: new Map(read) };
}

const escrowKey = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Escrow')]);

/** The balance of a contract is an entry of the token. */
export function entryKeysOf({ contractId, token }: Pick<ContractRef, 'contractId' | 'token'>) {
  const balance = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), new Address(contractId).toScVal()]);
  return {
    instance: dataKey(contractId, xdr.ScVal.scvLedgerKeyContractInstance()),
    escrow: dataKey(contractId, escrowKey),
    balance: dataKey(token, balance),
  };
}

function dataKey(contract: string, key: xdr.ScVal): xdr.LedgerKey {
  const durability = xdr.ContractDataDurability.persistent();
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract: new Address(contract).toScAddress(), key, durability }),
  );
}

type Found = Readonly<Record<'instance' | 'escrow' | 'balance', rpc.Api.LedgerEntryResult | undefined>>;

/** Some contracts store the struct in an entry of its own, others within their instance. */
function toEntry({ type }: ContractRef, { instance, escrow, balance }: Found): ContractEntry {
  const values = { instance: valueOf(instance)?.instance(), balance: valueOf(balance) };
  const stored = valueOf(escrow) ?? storedIn(values.instance);
  const lives = [instance, escrow, balance].flatMap((entry) => entry?.liveUntilLedgerSeq ?? []);
  return {
    wasmHash: values.instance === undefined ? undefined : hashOf(values.instance),
    escrow: stored === undefined ? undefined : escrowOf(type, stored),
    balanceUnits: values.balance === undefined ? undefined : balanceFields.parse(plainValue(values.balance)).amount,
    liveUntilLedger: lives.length === 0 ? undefined : Math.min(...lives),
  };
}

/** One contract with another struct must not make the others unreadable. */
function escrowOf(type: ContractType, stored: xdr.ScVal): ContractEntry['escrow'] {
  try {
    return parseEscrow(type, stored);
  } catch {
    return 'unreadable';
  }
}

function valueOf(entry: rpc.Api.LedgerEntryResult | undefined): xdr.ScVal | undefined {
  return entry?.val.contractData().val();
}

function storedIn(instance: xdr.ScContractInstance | undefined): xdr.ScVal | undefined {
  const expected = escrowKey.toXDR('base64');
  return instance
    ?.storage()
    ?.find((entry) => entry.key().toXDR('base64') === expected)
    ?.val();
}

/** Undefined for a contract without code of its own, such as that of a token. */
function hashOf(instance: xdr.ScContractInstance): string | undefined {
  const executable = instance.executable();
  return executable.switch().name === 'contractExecutableWasm' ? executable.wasmHash().toString('hex') : undefined;
}

/** Undefined where the network does not show the entry: it does not exist, or is archived. */
export function balanceUnitsIn(entry: xdr.LedgerEntryData | undefined): bigint | undefined {
  return entry === undefined ? undefined : balanceFields.parse(plainValue(entry.contractData().val())).amount;
}

const balanceFields = z.object({ amount: z.bigint().nonnegative() });
