import { hash, type rpc } from '@stellar/stellar-sdk';
import { codeKey } from './entry-keys.js';

/** The hash proves that the code is the requested one. Throws for other code. */
export async function readContractCode(server: rpc.Server, wasmHash: string): Promise<Buffer | undefined> {
  const { entries } = await server.getLedgerEntries(codeKey(wasmHash));
  const code = entries[0]?.val.contractCode().code();
  if (code !== undefined && hash(code).toString('hex') !== wasmHash)
    throw new TypeError(`the node returned other code than ${wasmHash}`);
  return code;
}
