import { parseMoney } from '@holdfast/kernel/money';
import { decidePayin, type PayinDecision } from './payin-decision.js';
import { payinOutcomes, type PayinUpdate } from './provider-updates.js';
import { topupStatuses, type TopupStatus } from './topup-states.js';
import { newTopup, type Topup } from './topup.js';

const amount = parseMoney('50.00', 'USD');
const at = '2026-01-31T12:00:00.000000Z';

function aTopup(given: Partial<Topup> = {}): Topup {
  const ids = { id: 'topup_1', marketplaceId: 'mkt_1', userId: 'usr_1' } as const;
  const created = newTopup({ ...ids, amount, description: null, returnUrl: null, cancelUrl: null, metadata: {}, now: at }, at);
  return { ...created, ...(given.status === 'TOPUP_CREATED' ? {} : { providerPayinId: 'payin-1' }), ...given };
}

function anUpdate(given: Partial<PayinUpdate> = {}): PayinUpdate {
  const confirmationUri = 'https://pay.example/1';
  return { providerId: 'payin-1', code: 'topup_1', amount, reason: null, outcome: 'succeeded', confirmationUri, ...given };
}

const activeRun = { runId: 'run_1', saga: 'top-up', actor: { type: 'system', id: 'test' }, startedAt: at } as const;

describe('what each outcome means in each status', () => {
  const expected: Readonly<Record<TopupStatus, Readonly<Record<PayinUpdate['outcome'], PayinDecision['does']>>>> = {
    TOPUP_CREATED: { open: 'await', processing: 'process', succeeded: 'credit', failed: 'fail', canceled: 'cancel' },
    TOPUP_AWAITING_USER_CONFIRMATION: {
      open: 'none',
      processing: 'process',
      succeeded: 'credit',
      failed: 'fail',
      canceled: 'cancel',
    },
    TOPUP_PROCESSING: { open: 'none', processing: 'none', succeeded: 'credit', failed: 'fail', canceled: 'fail' },
    TOPUP_SUCCEEDED: {
      open: 'none',
      processing: 'none',
      succeeded: 'none',
      failed: 'contradiction',
      canceled: 'contradiction',
    },
    TOPUP_FAILED: { open: 'none', processing: 'none', succeeded: 'case', failed: 'none', canceled: 'none' },
    TOPUP_CANCELED: { open: 'none', processing: 'none', succeeded: 'case', failed: 'none', canceled: 'none' },
  };

  it.each(topupStatuses.flatMap((status) => payinOutcomes.map((outcome) => ({ status, outcome }))))(
    '$status: $outcome',
    ({ status, outcome }) => {
      expect(decidePayin(aTopup({ status }), anUpdate({ outcome })).does).toBe(expected[status][outcome]);
    },
  );
});

describe('a received payment', () => {
  it('is credited once: not while it is being credited', () => {
    expect(decidePayin(aTopup({ status: 'TOPUP_PROCESSING', activeRun }), anUpdate())).toEqual({ does: 'none' });
  });

  it.each(['failed', 'canceled'] as const)('is not %s any more', (outcome) => {
    expect(decidePayin(aTopup({ status: 'TOPUP_PROCESSING', activeRun }), anUpdate({ outcome })).does).toBe('contradiction');
  });

  it('of another amount becomes a case with the amount that was received', () => {
    const received = parseMoney('49.99', 'USD');
    const decision = decidePayin(aTopup({ status: 'TOPUP_AWAITING_USER_CONFIRMATION' }), anUpdate({ amount: received }));
    expect(decision).toMatchObject({ does: 'case', kind: 'amount_mismatch', amount: received, payinId: 'payin-1' });
  });

  it('whose event names no amount has the amount of the top-up', () => {
    const update = anUpdate({ amount: undefined });
    expect(decidePayin(aTopup({ status: 'TOPUP_AWAITING_USER_CONFIRMATION' }), update)).toEqual({ does: 'credit' });
    expect(decidePayin(aTopup({ status: 'TOPUP_CANCELED' }), update)).toMatchObject({ kind: 'late_money', amount });
  });

  it('opens one case only', () => {
    expect(decidePayin(aTopup({ status: 'TOPUP_FAILED', isInCase: true }), anUpdate())).toEqual({ does: 'none' });
  });

  it.each(['TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_SUCCEEDED'] as const)('for a second pay-in is a case: %s', (status) => {
    const decision = decidePayin(aTopup({ status }), anUpdate({ providerId: 'payin-2' }));
    expect(decision).toMatchObject({ does: 'case', kind: 'late_money', payinId: 'payin-2', isOtherPayin: true });
  });

  it('may be named by our own id', () => {
    const update = anUpdate({ providerId: 'topup_1' });
    expect(decidePayin(aTopup({ status: 'TOPUP_AWAITING_USER_CONFIRMATION' }), update)).toEqual({ does: 'credit' });
    expect(decidePayin(aTopup({ status: 'TOPUP_CANCELED' }), update)).toMatchObject({ payinId: 'payin-1' });
  });
});

it('does not await a confirmation without its page', () => {
  const { confirmationUri: _, ...update } = anUpdate({ outcome: 'open' });
  expect(decidePayin(aTopup({ status: 'TOPUP_CREATED' }), update)).toEqual({ does: 'none' });
});
