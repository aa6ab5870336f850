import { hash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { AppError } from '@holdfast/kernel/errors';
import { entryKey, readEntries } from './ledger-entries.js';
import { plainValue } from './plain-values.js';
import type { RpcClient } from './rpc-client.js';

/** A persistent entry of a contract. */
export function dataKey(contract: xdr.ScAddress, key: xdr.ScVal): xdr.LedgerKey {
  const durability = xdr.ContractDataDurability.persistent();
  return xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability }));
}

/** The balance of a contract is an entry of the token. */
export function balanceKey(holder: xdr.ScAddress, token: xdr.ScAddress): xdr.LedgerKey {
  return dataKey(token, xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), xdr.ScVal.scvAddress(holder)]));
}

export function codeKey(wasmHash: string): xdr.LedgerKey {
  return xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: Buffer.from(wasmHash, 'hex') }));
}

/** Undefined where the network does not show the entry: it does not exist, or is archived. */
export function balanceUnitsIn(entry: xdr.LedgerEntryData | undefined): bigint | undefined {
  return entry === undefined ? undefined : balanceFields.parse(plainValue(entry.contractData().val())).amount;
}

const balanceFields = z.object({ amount: z.bigint().nonnegative() });

/** The hash proves that the code is the requested one. Throws for other code. */
export async function readContractCode(client: RpcClient, wasmHash: string): Promise<Buffer | undefined> {
  const key = entryKey(codeKey(wasmHash));
  const { entries } = await readEntries(client, [key], 'read');
  const code = entries.get(key)?.data.contractCode().code();
  if (code !== undefined && hash('sha256', code) !== wasmHash) {
    const reason = `the node returned other code than ${wasmHash}`;
    throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork', reason });
  }
  return code;
}
