import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { money, unitsPerCent } from '@holdfast/kernel/money';
import { drive } from '../frame/drive.js';
import type { Side } from '../frame/measure.js';
import { auditLedger } from './audit.js';
import { openLedger, type OpenLedger } from './open-ledger.js';
import type { Operation } from './postings.js';

export type WorkloadSide = {
  readonly name: string;
  readonly callers: number;
  readonly pick: () => UserId;
  readonly through: 'poster' | 'route';
  /** Each caller does these one after the other on a user it has picked. */
  readonly operations: readonly Operation[];
};

/** A ledger with users and money in it, and its own count of everything that is done to it. */
export type Workload = {
  readonly side: (side: WorkloadSide) => Side;
  /** Throws unless the books are exactly what was posted. Returns how many transfers that were. */
  readonly audit: () => Promise<bigint>;
  readonly close: () => Promise<void>;
};

/** One cent at a time. */
const cent = money(unitsPerCent, 'USD');
/** So much that no debit of a run is refused. */
const fundsCents = 10_000_000n;
const funds = money(fundsCents * unitsPerCent, 'USD');
const fundingCallers = 256;

/** What an operation does to the sum of all balances, in cents; what is reserved is still the user's. */
const sumChanges: Readonly<Record<Operation, bigint>> = {
  'balances.credit': 1n,
  'balances.debit': -1n,
  'balances.reserve': 0n,
  'balances.release': 0n,
};

type Tally = { cents: bigint; transfers: bigint };

export async function openWorkload(
  adminUrl: string,
  users: readonly UserId[],
  options: { readonly publishes: boolean },
): Promise<Workload> {
  const ledger = await openLedger(adminUrl, options);
  const tally: Tally = { cents: 0n, transfers: 0n };
  await insertKnownUsers(ledger, users);
  await fund(ledger, users, tally);
  return {
    side: (side) => sideOf(ledger, side, tally),
    audit: async () => {
      await auditLedger(ledger, { units: tally.cents * unitsPerCent, transfers: tally.transfers });
      return tally.transfers;
    },
    close: ledger.close,
  };
}

function sideOf(ledger: OpenLedger, { name, callers, pick, through, operations }: WorkloadSide, tally: Tally): Side {
  const post = ledger[through];
  const call = async (): Promise<void> => {
    const userId = pick();
    for (const operation of operations) {
      await post(operation, userId, cent);
      tally.cents += sumChanges[operation];
      tally.transfers += 1n;
    }
  };
  return {
    name,
    run: async (durationMs) => {
      const sample = await drive({ callers, durationMs, call, settle: ledger.published });
      const { length } = operations;
      return { ...sample, perSecond: sample.perSecond * length, cpuMicros: sample.cpuMicros / length };
    },
  };
}

const insertUsers = `
  insert into users (id, marketplace_id, type, status, version, received_at)
  select id, $2, 'BOTH', 'ACTIVE', 1, now()
  from unnest($1::text[]) as id`;

/** Inserts users as their consumed messages would. */
async function insertKnownUsers({ database }: OpenLedger, users: readonly UserId[]): Promise<void> {
  await database.pool.query(insertUsers, [users, defaultMarketplaceId]);
}

async function fund(ledger: OpenLedger, users: readonly UserId[], tally: Tally): Promise<void> {
  const waiting = users.values();
  const fundUsers = async (): Promise<void> => {
    for (const userId of waiting) {
      await ledger.poster('balances.credit', userId, funds);
      tally.cents += fundsCents;
      tally.transfers += 1n;
    }
  };
  await Promise.all(Array.from({ length: fundingCallers }, fundUsers));
  await ledger.published();
}
