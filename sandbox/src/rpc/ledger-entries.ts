import { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { readEntryKey } from '../ledger-network/entry-reference.js';
import { accountEntry, trustlineEntry } from './account-entries.js';
import { codeEntry, contractEntry } from './contract-entries.js';
import type { EntrySources, FoundEntry } from './found-entry.js';
import { RpcError, parseParams } from './json-rpc.js';

const keysMax = 200;
const paramsShape = z.object({ keys: z.array(z.string()).min(1).max(keysMax) });

/** `getLedgerEntries`: missing and archived entries are left out. */
export function ledgerEntries(sources: EntrySources, params: unknown) {
  const { keys } = parseParams(paramsShape, params);
  const entries = keys.flatMap((key, index) => {
    const found = findEntry(sources, parseKey(key, index));
    return found === undefined ? [] : [entryView(key, found)];
  });
  return { entries, latestLedger: sources.view.head.sequence };
}

function parseKey(key: string, index: number): xdr.LedgerKey {
  try {
    return xdr.LedgerKey.fromXDR(key, 'base64');
  } catch {
    throw new RpcError('invalidParams', `cannot unmarshal key value ${key} at index ${index}`);
  }
}

function findEntry(sources: EntrySources, key: xdr.LedgerKey): FoundEntry | undefined {
  const reference = readEntryKey(key);
  switch (reference?.kind) {
    case 'account':
      return accountEntry(sources, reference.address);
    case 'trustline':
      return trustlineEntry(sources, reference.address, reference.asset);
    case 'code':
      return codeEntry(sources, reference.wasmHash);
    case 'contract':
      return contractEntry(sources, reference);
    case undefined:
      return undefined;
  }
}

function entryView(key: string, { data, modifiedLedger, liveUntilLedger }: FoundEntry) {
  return {
    key,
    xdr: data.toXDR('base64'),
    lastModifiedLedgerSeq: modifiedLedger,
    ...(liveUntilLedger === undefined ? {} : { liveUntilLedgerSeq: liveUntilLedger }),
  };
}
