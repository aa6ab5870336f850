import { money } from '@holdfast/kernel/money';
import { payinOutcomes, payoutOutcomes } from './provider-updates.js';
import { verdictOn } from './payment-proof.js';

const units = 400_000_000n;
const amount = money(units, 'USD');

function verdicts(kind: 'payin' | 'payout', wanted: 'succeeded' | 'failed'): Readonly<Record<string, unknown>> {
  const outcomes = kind === 'payin' ? payinOutcomes : payoutOutcomes;
  const known = outcomes.map((outcome) => [outcome, verdictOn(wanted, kind, { record: { outcome, amount }, units })]);
  const all = [...known, ['none', verdictOn(wanted, kind, { record: undefined, units })]];
  return Object.fromEntries(all.map(([outcome, verdict]) => [outcome, typeof verdict === 'string' ? verdict : 'no']));
}

describe("the payment provider's record", () => {
  it('proves a success only if everything was paid', () => {
    expect(Object.entries(verdicts('payout', 'succeeded')).filter(([, verdict]) => verdict !== 'no')).toEqual([
      ['completed', 'apply'],
    ]);
    expect(Object.entries(verdicts('payin', 'succeeded')).filter(([, verdict]) => verdict !== 'no')).toEqual([
      ['succeeded', 'apply'],
    ]);
    for (const other of [money(1n, 'USD'), undefined])
      expect(verdictOn('succeeded', 'payout', { record: { outcome: 'completed', amount: other }, units })).toEqual({
        objection: 'the payout at the payment provider has another amount',
      });
  });

  it('proves a failure only if nothing was paid and nothing can be any more', () => {
    expect(verdicts('payout', 'failed')).toEqual({
      created: 'call-off',
      pending: 'no',
      'user-action': 'no',
      completed: 'no',
      failed: 'apply',
      canceled: 'apply',
      none: 'call-off',
    });
    expect(verdicts('payin', 'failed')).toEqual({
      open: 'call-off',
      processing: 'no',
      succeeded: 'no',
      failed: 'apply',
      canceled: 'apply',
      none: 'call-off',
    });
  });
});
