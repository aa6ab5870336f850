import { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import type { EntryKey, LedgerEntries, RpcOperation } from './ledger-rpc-port.js';
import { ledgerNumber, xdrOf } from './result-fields.js';
import type { RpcClient } from './rpc-client.js';

const entry = z.object({ key: z.string(), xdr: xdrOf(xdr.LedgerEntryData), liveUntilLedgerSeq: z.number().int().optional() });
const result = z.object({ latestLedger: ledgerNumber, entries: z.array(entry).nullish() });

export function entryKey(key: xdr.LedgerKey): EntryKey {
  return key.toXDR('base64');
}

/** Reads entries of one ledger. Nodes refuse a request without keys, and one with more than 200. */
export async function readEntries(
  { call }: RpcClient,
  keys: readonly EntryKey[],
  operation: RpcOperation,
): Promise<LedgerEntries> {
  const read = await call({ method: 'getLedgerEntries', params: { keys }, result, operation });
  const entries = (read.entries ?? []).map(
    ({ key, xdr: data, liveUntilLedgerSeq: liveUntilLedger }) => [key, { data, liveUntilLedger }] as const,
  );
  return { latestLedger: read.latestLedger, entries: new Map(entries) };
}
