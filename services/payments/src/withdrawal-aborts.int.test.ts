import { balanceWithdrawalRefused, withdrawalAbortRequested, withdrawalHoldRequested } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { reply } from './testing/simulated-ledger.js';
import { aPayee, bodyOf } from './testing/withdrawals.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments({ SETTLEMENT_TIMEOUT_MS: '500', SAGA_ABORT_AFTER_MS: '1000' });
});
afterAll(() => payments.stop());

it('504 PROVIDER_TIMEOUT names a withdrawal that the ledger does not reserve; its abort deletes it', async () => {
  const userId = await aPayee(payments);
  payments.ledger.replyNextWith(withdrawalHoldRequested, () => undefined);
  payments.ledger.replyNextWith(withdrawalAbortRequested, ({ commandId: _commandId, ...funds }) =>
    reply(balanceWithdrawalRefused, { ...funds, code: 'PROVIDER_TIMEOUT', details: { isAborted: true } }),
  );
  const { status, code, details } = await payments.post('/withdrawals', bodyOf(userId));
  expect([status, code, details]).toMatchObject([504, 'PROVIDER_TIMEOUT', { withdrawalId: expect.stringMatching(/^wd_/) }]);
  const id = String(details['withdrawalId']);
  expect(await payments.get(`/withdrawals/${id}`)).toMatchObject({ status: 404 });
  await eventually(async () =>
    expect(await payments.database.asAdmin('select id from payments.withdrawals where id = $1', [id])).toEqual([]),
  );
  const [hold] = payments.ledger.commands.filter(({ type }) => type === withdrawalHoldRequested.type);
  const [abort] = payments.ledger.commands.filter(({ type }) => type === withdrawalAbortRequested.type);
  expect(abort).toMatchObject({ aggregateId: id, saga: 'withdraw', payload: { commandId: hold?.id } });
  expect(payments.auditsOf(id)).toMatchObject([{ action: 'SAGA_ABORT_REQUESTED' }]);
});

it('an operator lists open saga runs and resends the command of one', async () => {
  const lost = await startPayments({ SETTLEMENT_TIMEOUT_MS: '500' });
  const by = { type: 'system' } as const;
  try {
    lost.ledger.loseNextReply(withdrawalHoldRequested);
    const { details } = await lost.post('/withdrawals', bodyOf(await aPayee(lost)));
    const id = String(details['withdrawalId']);
    const { runs } = (await lost.get('/internal/saga-runs', by)).data as { runs: readonly { id: string }[] };
    expect(runs).toMatchObject([{ aggregateId: id, saga: 'withdraw', attempts: 0, isPastPointOfNoReturn: false }]);
    const runId = runs[0]?.id ?? '';
    expect((await lost.post(`/internal/saga-runs/${runId}/redrive`, {}, by)).data).toEqual({
      id: runId,
      aggregateId: id,
      saga: 'withdraw',
    });
    await eventually(async () =>
      expect((await lost.get(`/withdrawals/${id}`)).data).toMatchObject({ status: 'WITHDRAWAL_CREATED' }),
    );
    expect(await lost.post(`/internal/saga-runs/${runId}/redrive`, {}, by)).toMatchObject({ status: 404 });
  } finally {
    await lost.stop();
  }
});
