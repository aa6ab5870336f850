import { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import type { LedgerEntries, RpcOperation } from './ledger-rpc-port.js';
import { ledgerNumber, xdrOf } from './result-fields.js';
import type { RpcClient } from './rpc-client.js';

const entry = z.object({ key: z.string(), xdr: xdrOf(xdr.LedgerEntryData), liveUntilLedgerSeq: z.number().int().optional() });
const result = z.object({ latestLedger: ledgerNumber, entries: z.array(entry).nullish() });

/**
 * Reads entries of one ledger. A key is encoded once: the node returns it as it was sent, because there is only one encoding. Nodes
 * refuse a request without keys, and one with more than 200.
 */
export async function readEntries(
  { call }: RpcClient,
  keys: readonly xdr.LedgerKey[],
  operation: RpcOperation,
): Promise<LedgerEntries> {
  const texts = keys.map((key) => key.toXDR('base64'));
  const read = await call({ method: 'getLedgerEntries', params: { keys: texts }, result, operation });
  const byText = new Map(read.entries?.map((found) => [found.key, found]));
  const entries = keys.flatMap((key, index) => {
    const found = byText.get(texts[index] ?? '');
    return found === undefined ? [] : [[key, { data: found.xdr, liveUntilLedger: found.liveUntilLedgerSeq }] as const];
  });
  return { latestLedger: read.latestLedger, entries: new Map(entries) };
}
