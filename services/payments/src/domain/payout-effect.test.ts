import { parseMoney } from '@holdfast/kernel/money';
import { payoutEffectOf, payoutIdOf, type PayoutEffect } from './payout-effect.js';
import { payoutOutcomes, type PayoutUpdate } from './provider-updates.js';
import { withdrawalStatuses } from './withdrawal-states.js';
import type { Withdrawal } from './withdrawal.js';

const at = '2026-01-31T12:00:00.000000Z';

function aWithdrawal(given: Partial<Withdrawal>): Withdrawal {
  return {
    id: 'wd_1',
    marketplaceId: 'mkt_default',
    userId: 'usr_1',
    amount: parseMoney('40.00', 'USD'),
    status: 'WITHDRAWAL_PENDING',
    destinationType: 'bank',
    destinationRef: 'account-7',
    description: null,
    commitsAtOnce: false,
    providerPayoutId: 'payout-1',
    failureReason: null,
    errorCode: null,
    outcome: null,
    cancelRequest: null,
    reservedAt: at,
    committedAt: at,
    completedAt: null,
    nextPollAt: null,
    polls: 0,
    activeRun: null,
    version: 1,
    lastEventId: null,
    createdAt: at,
    updatedAt: at,
    ...given,
  };
}

function anUpdate(given: Partial<PayoutUpdate>): PayoutUpdate {
  return { providerId: 'payout-1', code: 'wd_1', amount: parseMoney('40.00', 'USD'), reason: null, outcome: 'pending', ...given };
}

const outcomes = {
  WITHDRAWAL_CREATED: null,
  WITHDRAWAL_COMMITTED: null,
  WITHDRAWAL_PENDING: null,
  WITHDRAWAL_PENDING_USER_ACTION: null,
  WITHDRAWAL_COMPLETED: { move: 'complete', completedAt: at },
  WITHDRAWAL_FAILED: { move: 'fail', reason: 'closed', errorCode: null },
  WITHDRAWAL_CANCELED: { move: 'cancel', canceledBy: 'ada', reason: null },
} as const;

/** One row per status; one column per outcome of the provider, in the order of `payoutOutcomes`. */
const expected: Readonly<Record<(typeof withdrawalStatuses)[number], readonly PayoutEffect[]>> = {
  WITHDRAWAL_CREATED: Array.from({ length: 6 }, () => 'contradicted' as const),
  WITHDRAWAL_COMMITTED: ['none', 'accepted', 'awaits-user', 'completed', 'failed', 'failed'],
  WITHDRAWAL_PENDING: ['none', 'none', 'awaits-user', 'completed', 'failed', 'failed'],
  WITHDRAWAL_PENDING_USER_ACTION: ['none', 'accepted', 'none', 'completed', 'failed', 'failed'],
  WITHDRAWAL_COMPLETED: ['none', 'none', 'none', 'none', 'contradicted', 'contradicted'],
  WITHDRAWAL_FAILED: ['none', 'none', 'none', 'paid-too-late', 'none', 'none'],
  WITHDRAWAL_CANCELED: ['none', 'none', 'none', 'paid-too-late', 'none', 'none'],
};

describe.each(withdrawalStatuses)('%s', (status) => {
  it.each(payoutOutcomes.map((outcome, index) => [outcome, expected[status][index]] as const))('%s: %s', (outcome, effect) => {
    expect(payoutEffectOf(aWithdrawal({ status, outcome: outcomes[status] }), anUpdate({ outcome }))).toBe(effect);
  });
});

describe('an update', () => {
  it('that names the payout first is stored', () => {
    const withdrawal = aWithdrawal({ status: 'WITHDRAWAL_COMMITTED', providerPayoutId: null });
    expect(payoutEffectOf(withdrawal, anUpdate({ outcome: 'created' }))).toBe('known');
  });

  it.each<readonly [string, Partial<Withdrawal>, Partial<PayoutUpdate>]>([
    ['another withdrawal', {}, { code: 'wd_2' }],
    ['another payout', {}, { providerId: 'payout-2' }],
    ['a withdrawal to the ledger network', { destinationType: 'ledger' }, {}],
  ])('about %s is contradicted', (_, withdrawal, update) => {
    expect(payoutEffectOf(aWithdrawal(withdrawal), anUpdate({ outcome: 'completed', ...update }))).toBe('contradicted');
  });

  it('that names the withdrawal by our id is applied, and does not name the payout', () => {
    const update = anUpdate({ providerId: 'wd_1', outcome: 'completed' });
    expect(payoutEffectOf(aWithdrawal({}), update)).toBe('completed');
    expect(payoutIdOf(aWithdrawal({}), update)).toBe('payout-1');
    const unknown = aWithdrawal({ status: 'WITHDRAWAL_COMMITTED', providerPayoutId: null });
    expect(payoutEffectOf(unknown, { ...update, outcome: 'created' })).toBe('none');
    expect(payoutIdOf(unknown, update)).toBeNull();
  });

  it('without a code is applied by the id of the payout', () => {
    expect(payoutEffectOf(aWithdrawal({}), anUpdate({ code: null, outcome: 'completed' }))).toBe('completed');
  });
});
