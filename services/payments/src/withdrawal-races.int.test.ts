import { withdrawalFreeRequested, withdrawalReserveRequested, type MessageDeclaration } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import type { ServiceTestClient } from '@holdfast/testing/services';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aPayee, aWithdrawal, bodyOf, commit, movePayout, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;
let replica: ServiceTestClient;

beforeAll(async () => {
  payments = await startPayments({
    SETTLEMENT_TIMEOUT_MS: '30000',
    SAGA_STALLED_AFTER_MS: '500',
    SAGA_ABORT_AFTER_MS: '86400000',
  });
  replica = await payments.startReplica();
});
afterAll(() => payments.stop());

const cancel = (client: ServiceTestClient, id: string) => client.post(`/withdrawals/${id}/cancel`, {});

it('of 40 parallel commits over two replicas one wins, and there is one payout', async () => {
  const id = await aWithdrawal(payments);
  const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => commit(index % 2 === 0 ? payments : replica, id)));
  const statuses = responses.map(({ status, code }) => `${status} ${code ?? ''}`);
  expect(statuses.filter((each) => each === '200 ')).toHaveLength(1);
  expect(statuses.filter((each) => each === '409 INVALID_STATE')).toHaveLength(39);
  expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'COMMITTED' }]);
});

it('of a commit and a cancellation exactly one wins', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await aWithdrawal(payments);
    const [committed, canceled] = await Promise.all([commit(payments, id), cancel(replica, id)]);
    expect([committed.status, canceled.status].toSorted()).toEqual([200, 409]);
    const { userId, status } = (await payments.get(`/withdrawals/${id}`)).data as { userId: string; status: string };
    const isCommitted = committed.status === 200;
    expect(status).toBe(isCommitted ? 'WITHDRAWAL_PENDING' : 'WITHDRAWAL_CANCELED');
    expect(await payoutsOf(payments, id)).toHaveLength(isCommitted ? 1 : 0);
    const balance = isCommitted ? { available: '60.00', reserved: '40.00' } : { available: '100.00', reserved: '0.00' };
    expect(payments.ledger.balanceOf(userId)).toEqual(balance);
  }
});

it('a completion that several sources report at once is deducted once', async () => {
  const id = await aWithdrawal(payments);
  await commit(payments, id);
  await movePayout(payments, id, 'complete');
  await payments.database.asAdmin('update payments.withdrawals set next_poll_at = now() where id = $1', [id]);
  const refreshes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? payments : replica).post(`/withdrawals/${id}/refresh`, {})),
  );
  for (const { status } of refreshes) expect(status).toBe(200);
  await eventually(async () =>
    expect((await payments.get(`/withdrawals/${id}`)).data).toMatchObject({ status: 'WITHDRAWAL_COMPLETED' }),
  );
  const ofWithdrawal = payments.ledger.commands.filter(({ aggregateId }) => aggregateId === id);
  const ids = new Set(ofWithdrawal.filter(({ type }) => type === 'withdrawal.deduct_requested').map((command) => command.id));
  expect(ids.size).toBe(1);
  await eventually(() => expect(payments.eventsOf(id).filter(({ type }) => type === 'withdrawal.completed')).toHaveLength(1));
});

describe('a command whose reply was lost', () => {
  const loseFirstReply = (command: MessageDeclaration): { readonly lost: () => number } => {
    const before = payments.ledger.commands.length;
    payments.ledger.loseNextReply(command);
    return { lost: () => payments.ledger.commands.slice(before).filter(({ type }) => type === command.type).length };
  };

  it('is resent, and the withdrawal is created', async () => {
    const { lost } = loseFirstReply(withdrawalReserveRequested);
    const userId = await aPayee(payments);
    expect(await payments.post('/withdrawals', bodyOf(userId))).toMatchObject({ status: 201 });
    expect(lost()).toBeGreaterThan(1);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '40.00' });
  });

  it('is resent, and the withdrawal is canceled', async () => {
    const id = await aWithdrawal(payments);
    const { lost } = loseFirstReply(withdrawalFreeRequested);
    expect(await cancel(payments, id)).toMatchObject({ status: 200, data: { status: 'WITHDRAWAL_CANCELED' } });
    expect(lost()).toBeGreaterThan(1);
  });
});
