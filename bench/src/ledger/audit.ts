import { checkLedger } from '@holdfast/ledger-balance';
import type { OpenLedger } from './open-ledger.js';

type Sums = { readonly available: string; readonly reserved: string };

export type Expected = { readonly units: bigint; readonly transfers: bigint };

const sumBalances = `
  select coalesce(sum(available_units), 0)::text as available, coalesce(sum(reserved_units), 0)::text as reserved
  from accounts
  where kind = 'user'`;

/** Throws when the ledger is not exactly what was posted, because a rate with a wrong ledger does not count. */
export async function auditLedger({ database, clock }: OpenLedger, { units, transfers }: Expected): Promise<void> {
  const proof = await checkLedger(database, clock);
  const [firstFault] = proof.discrepancies;
  if (firstFault !== undefined) throw new Error(`the books are not sound: ${JSON.stringify(firstFault)}`);
  if (proof.transfers !== transfers) throw new Error(`${transfers} postings succeeded, and the journal has ${proof.transfers}`);
  const { rows } = await database.pool.query<Sums>(sumBalances);
  const [sums] = rows;
  if (sums?.available === units.toString() && sums.reserved === '0') return;
  throw new Error(`the balances must sum to ${units} available and 0 reserved units, but they are ${JSON.stringify(sums)}`);
}
