import type { rpc, xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { AppError } from '@holdfast/kernel/errors';
import type { Held, HeldWanted } from './ledger-rpc-port.js';
import { accountKeysOf, balancesIn } from './account-entries.js';
import { balanceKey, balanceUnitsIn } from './contract-entries.js';

const ledgerNumber = z.number().int().positive();
/** Nodes read up to 200 entries at once. */
const keysPerCall = 200;
/** Where one call does not suffice, a ledger may close in between. */
const attemptsMax = 5;

type Entries = ReadonlyMap<string, xdr.LedgerEntryData>;

/** What accounts and contracts hold, all read from one ledger. */
export async function readHeld(server: rpc.Server, { addresses, contracts }: HeldWanted, usdcIssuer: string): Promise<Held> {
  const keys = [...addresses.flatMap((address) => accountKeysOf(address, usdcIssuer)), ...contracts.map(balanceKey)];
  const { ledger, entries } = await readAtOneLedger(server, keys);
  return {
    ledger,
    accounts: new Map(
      addresses.flatMap((address) => {
        const balances = balancesIn(entries, address, usdcIssuer);
        return balances === undefined ? [] : [[address, balances] as const];
      }),
    ),
    contractUnits: new Map(
      contracts.flatMap((contract) => {
        const units = balanceUnitsIn(entries.get(balanceKey(contract).toXDR('base64')));
        return units === undefined ? [] : [[contract.contractId, units] as const];
      }),
    ),
  };
}

async function readAtOneLedger(
  server: rpc.Server,
  keys: readonly xdr.LedgerKey[],
): Promise<{ readonly ledger: number; readonly entries: Entries }> {
  // Nodes refuse a request without keys.
  if (keys.length === 0) return { ledger: ledgerNumber.parse((await server.getHealth()).latestLedger), entries: new Map() };
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const chunks = Array.from({ length: Math.ceil(keys.length / keysPerCall) }, (_, index) =>
      keys.slice(index * keysPerCall, (index + 1) * keysPerCall),
    );
    const read = await Promise.all(chunks.map((chunk) => server.getLedgerEntries(...chunk)));
    const [ledger, ...others] = new Set(read.map(({ latestLedger }) => ledgerNumber.parse(latestLedger)));
    if (ledger === undefined || others.length > 0) continue;
    const entries = read.flatMap((each) => each.entries);
    return { ledger, entries: new Map(entries.map(({ key, val }) => [key.toXDR('base64'), val])) };
  }
  throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' });
}
