import { Address, hash, type rpc, xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import type { TokenHolder } from './ledger-rpc-port.js';
import { plainValue } from './plain-values.js';

/** A persistent entry of a contract. */
export function dataKey(contract: string, key: xdr.ScVal): xdr.LedgerKey {
  const durability = xdr.ContractDataDurability.persistent();
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract: new Address(contract).toScAddress(), key, durability }),
  );
}

/** The balance of a contract is an entry of the token. */
export function balanceKey({ contractId, token }: TokenHolder): xdr.LedgerKey {
  return dataKey(token, xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), new Address(contractId).toScVal()]));
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
export async function readContractCode(server: rpc.Server, wasmHash: string): Promise<Buffer | undefined> {
  const { entries } = await server.getLedgerEntries(codeKey(wasmHash));
  const code = entries[0]?.val.contractCode().code();
  if (code !== undefined && hash(code).toString('hex') !== wasmHash)
    throw new TypeError(`the node returned other code than ${wasmHash}`);
  return code;
}
