import { AppError } from '@holdfast/kernel/errors';
import { scAddress } from '../envelopes/index.js';
import { accountKeysOf, balancesIn } from './account-entries.js';
import { balanceKey, balanceUnitsIn } from './contract-entries.js';
import { entryKey, readEntries } from './ledger-entries.js';
import { readLatestLedger } from './latest-ledger.js';
import type { EntryKey, Held, HeldWanted, LedgerEntries } from './ledger-rpc-port.js';
import type { RpcClient } from './rpc-client.js';

/** Nodes read up to 200 entries at once. */
const keysPerCall = 200;
/** Where one call does not suffice, a ledger may close in between. */
const attemptsMax = 5;

/** What accounts and contracts hold, all read from one ledger. */
export async function readHeld(client: RpcClient, { addresses, contracts }: HeldWanted, usdcIssuer: string): Promise<Held> {
  const accounts = accountKeysOf(addresses, usdcIssuer);
  const balances = contracts.map(({ contractId, token }) => ({
    contractId,
    key: entryKey(balanceKey(scAddress(contractId), scAddress(token))),
  }));
  const read = await readAtOneLedger(client, [
    ...accounts.flatMap(({ account, trustline }) => [account, trustline]),
    ...balances.map(({ key }) => key),
  ]);
  const contractUnits = balances.flatMap(({ contractId, key }) => {
    const units = balanceUnitsIn(read.entries.get(key)?.data);
    return units === undefined ? [] : [[contractId, units] as const];
  });
  return { ledger: read.latestLedger, accounts: balancesIn(read, accounts), contractUnits: new Map(contractUnits) };
}

async function readAtOneLedger(client: RpcClient, keys: readonly EntryKey[]): Promise<LedgerEntries> {
  // Nodes refuse a request without keys.
  if (keys.length === 0) return { latestLedger: await readLatestLedger(client), entries: new Map() };
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const chunks = Array.from({ length: Math.ceil(keys.length / keysPerCall) }, (_, index) =>
      keys.slice(index * keysPerCall, (index + 1) * keysPerCall),
    );
    const read = await Promise.all(chunks.map((chunk) => readEntries(client, chunk, 'account-read')));
    const [latestLedger, ...others] = new Set(read.map((each) => each.latestLedger));
    if (latestLedger === undefined || others.length > 0) continue;
    return { latestLedger, entries: new Map(read.flatMap(({ entries }) => [...entries])) };
  }
  throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' });
}
