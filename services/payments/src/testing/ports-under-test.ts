import type { Intent, NewIntent } from '@holdfast/intents';
import type { Context, Instant } from '@holdfast/kernel/context';
import { defaultMarketplaceId, type MessageId } from '@holdfast/kernel/ids';
import { money } from '@holdfast/kernel/money';
import { silentLog } from '@holdfast/testing/log';
import type { PortFactsOf, TestedPorts } from '@holdfast/testing/memory';
import type { Case } from '../domain/case.js';
import { newTopup, type Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { StoredPorts } from './memory-ports.js';

/** The stored ports on memory or Postgres. Tests share them, and each has rows of its own. */
export type PortsUnderTest = StoredPorts &
  TestedPorts & {
    readonly now: () => Instant;
    /** Begins a lease of an intent, which ends the one before. */
    readonly claim: (id: MessageId) => Promise<Intent | undefined>;
    /** Sets when a backup was restored, while the stop that followed is on; undefined ends the stop. */
    readonly setRestoredAt: (at: Instant | undefined) => Promise<void>;
  };

export type PortFacts = PortFactsOf<PortsUnderTest>;

export const runLimits = {
  retries: { firstAfterMs: 60_000, afterMsMax: 150_000 },
  deadlines: { sagas: ['withdraw'], afterMs: 600_000 },
};

export const marketplaceId = defaultMarketplaceId;
export const other = 'mkt_other';
export const minutes = (minute: number): Instant => `2026-03-01T12:0${minute}:00.000000Z`;

export function aTopup({ newId }: Pick<PortsUnderTest, 'newId'>, given: Partial<Topup> = {}): Topup {
  const texts = { description: null, returnUrl: null, cancelUrl: null, metadata: { z: [1], a: 'ü' } };
  const ids = { id: newId('topup'), userId: newId('usr'), marketplaceId };
  return { ...newTopup({ ...ids, ...texts, amount: money(500_000_000n, 'USD'), now: minutes(0) }, minutes(0)), ...given };
}

export function aWithdrawal({ newId }: Pick<PortsUnderTest, 'newId'>, given: Partial<Withdrawal> = {}): Withdrawal {
  return {
    id: newId('wd'),
    userId: newId('usr'),
    marketplaceId,
    amount: money(400_000_000n, 'USD'),
    status: 'WITHDRAWAL_CREATED',
    destinationType: 'bank',
    destinationRef: 'account-7',
    description: null,
    commitsAtOnce: false,
    providerPayoutId: null,
    failureReason: null,
    errorCode: null,
    outcome: null,
    cancelRequest: null,
    reservedAt: minutes(0),
    committedAt: null,
    completedAt: null,
    nextPollAt: null,
    polls: 0,
    activeRun: null,
    version: 0,
    lastEventId: null,
    createdAt: minutes(0),
    updatedAt: minutes(0),
    ...given,
  };
}

export function aCase({ newId }: Pick<PortsUnderTest, 'newId'>, given: Partial<Case> = {}): Case {
  return {
    id: newId('rcc'),
    marketplaceId,
    kind: 'late_money',
    status: 'OPEN',
    userId: newId('usr'),
    amount: money(10_000_000n, 'USD'),
    origin: 'payins',
    source: 'payment_provider',
    sourceId: newId('evt'),
    reason: 'a reason',
    relatedId: null,
    outflows: [],
    resolution: null,
    providerPayoutId: null,
    returns: 0,
    bookedAt: null,
    activeRun: null,
    version: 0,
    lastEventId: null,
    createdAt: minutes(0),
    updatedAt: minutes(0),
    ...given,
  };
}

export function anIntent({ newId }: Pick<PortsUnderTest, 'newId'>, given: Partial<NewIntent> = {}): NewIntent {
  const about = {
    kind: 'create-payin',
    priority: 1,
    marketplaceId,
    correlationId: 'req-1',
    requestedAt: minutes(0),
    payload: {},
  };
  return { ...about, id: newId('evt'), subject: newId('topup'), ...given };
}

export function aContext(given: Partial<Context> = {}): Context {
  const caller = { type: 'api_key', id: 'key_1', marketplaceId, scopes: [] } as const;
  return { requestId: 'req-1', caller, at: minutes(0), log: silentLog, ...given };
}

export async function insertTopup(ports: PortsUnderTest, given: Partial<Topup> = {}): Promise<Topup> {
  const topup = aTopup(ports, given);
  await ports.inTransaction(async (tx) => tx.topups.insert(topup));
  return topup;
}

export async function insertWithdrawal(ports: PortsUnderTest, given: Partial<Withdrawal> = {}): Promise<Withdrawal> {
  const withdrawal = aWithdrawal(ports, given);
  await ports.inTransaction(async (tx) => tx.withdrawals.insert(withdrawal));
  return withdrawal;
}

export async function insertCase(ports: PortsUnderTest, given: Partial<Case> = {}): Promise<Case> {
  const found = aCase(ports, given);
  await ports.inTransaction(async (tx) => tx.cases.insertIfNew(found));
  return found;
}
