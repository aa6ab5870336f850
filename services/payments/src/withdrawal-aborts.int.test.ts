import { balanceWithdrawalRefused, withdrawalAbortRequested, withdrawalReserveRequested } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { reply } from './testing/simulated-ledger.js';
import { aPayee, bodyOf } from './testing/withdrawals.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments({ SETTLEMENT_TIMEOUT_MS: '500' });
});
afterAll(() => payments.stop());

it('504 PROVIDER_TIMEOUT names a withdrawal that the ledger does not reserve; its abort deletes it', async () => {
  const userId = await aPayee(payments);
  payments.ledger.replyNextWith(withdrawalReserveRequested, () => undefined);
  payments.ledger.replyNextWith(withdrawalAbortRequested, ({ commandId: _commandId, ...funds }) =>
    reply(balanceWithdrawalRefused, { ...funds, code: 'PROVIDER_TIMEOUT', details: { isAborted: true } }),
  );
  const { status, code, details } = await payments.post('/withdrawals', bodyOf(userId));
  expect([status, code, details]).toMatchObject([504, 'PROVIDER_TIMEOUT', { withdrawalId: expect.stringMatching(/^wd_/) }]);
  const id = String(details['withdrawalId']);
  expect(await payments.get(`/withdrawals/${id}`)).toMatchObject({ status: 404 });
  await payments.database.asAdmin('update payments.saga_runs set deadline_at = now() where aggregate_id = $1', [id]);
  await eventually(async () =>
    expect(await payments.database.asAdmin('select id from payments.withdrawals where id = $1', [id])).toEqual([]),
  );
  const [hold] = payments.ledger.commands.filter(({ type }) => type === withdrawalReserveRequested.type);
  const [abort] = payments.ledger.commands.filter(({ type }) => type === withdrawalAbortRequested.type);
  expect(abort).toMatchObject({ aggregateId: id, saga: 'withdraw', payload: { commandId: hold?.id } });
  await eventually(() => expect(payments.auditsOf(id)).toMatchObject([{ action: 'SAGA_ABORT_REQUESTED' }]));
});

it('an operator lists open saga runs and resends the command of one', async () => {
  const by = { type: 'system' } as const;
  payments.ledger.loseNextReply(withdrawalReserveRequested);
  const { details } = await payments.post('/withdrawals', bodyOf(await aPayee(payments)));
  const id = String(details['withdrawalId']);
  const { data } = await payments.get('/internal/saga-runs', by);
  const runs = (data.runs as readonly { id: string; aggregateId: string }[]).filter(({ aggregateId }) => aggregateId === id);
  expect(runs).toMatchObject([{ saga: 'withdraw', attempts: 0, isPastPointOfNoReturn: false }]);
  const runId = runs[0]?.id ?? '';
  expect((await payments.post(`/internal/saga-runs/${runId}/redrive`, {}, by)).data).toEqual({
    id: runId,
    aggregateId: id,
    saga: 'withdraw',
  });
  await eventually(async () =>
    expect((await payments.get(`/withdrawals/${id}`)).data).toMatchObject({ status: 'WITHDRAWAL_CREATED' }),
  );
  expect(await payments.post(`/internal/saga-runs/${runId}/redrive`, {}, by)).toMatchObject({ status: 404 });
});
