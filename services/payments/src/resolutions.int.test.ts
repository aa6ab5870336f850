import {
  withdrawalLedgerPayoutFailed,
  withdrawalLedgerPayoutRequested,
  withdrawalDeductRequested,
  type Envelope,
} from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import type { ServiceTestClient } from '@holdfast/testing/services';
import { startProviderProxy, type ProviderProxy } from './testing/provider-proxy.js';
import { aLatePayment } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { provedHash } from './testing/service-stubs.js';
import { aTopup } from './testing/topups.js';
import { aPayee, aWithdrawal, bodyOf, commit, foreignAddress, movePayout, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;
let proxy: ProviderProxy;
/** Its requests wait for a short time only. */
let impatient: ServiceTestClient;

beforeAll(async () => {
  proxy = await startProviderProxy();
  const settings = { SAGA_RESOLVE_APPROVAL_AMOUNT: '50.00', PAYOUTS_PER_HOUR_MAX: '1000.00', PAYMENT_PROVIDER_URL: proxy.url };
  payments = await startPayments(settings, { providerTimeoutMs: 1_000, pollEveryMs: 3_600_000 });
  proxy.setTarget(payments.sandbox.paymentProviderUrl);
  impatient = await payments.startReplica({ SETTLEMENT_TIMEOUT_MS: '500' });
});
afterAll(async () => {
  await payments.stop();
  await proxy.stop();
});

type SagaRun = { readonly id: string; readonly aggregateId: string };

const system = { type: 'system', id: 'sagas' } as const;

const resolve = (id: string, given: Readonly<Record<string, unknown>>) =>
  payments.post(
    `/internal/payments/${id}/resolve`,
    { by: 'Ada', evidence: 'ticket 7', credential: 'one support', ...given },
    system,
  );

const reasonOf = async (response: ReturnType<typeof resolve>): Promise<unknown> => {
  const { status, details } = await response;
  return [status, details['reason']];
};

const statusOf = async (id: string): Promise<unknown> =>
  (await payments.get(`/${id.startsWith('wd') ? 'withdrawals' : 'topups'}/${id}`)).data.status;

const resolutionsOf = (id: string) => payments.auditsOf(id).filter(({ action }) => action.startsWith('SAGA_RESOLVE'));

describe('a withdrawal through the payment provider', () => {
  it('that is pending is resolved only as the provider says', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    // Only the resolution ends it.
    await payments.database.asAdmin('update payments.withdrawals set next_poll_at = null where id = $1', [id]);
    for (const outcome of ['succeeded', 'failed'])
      expect(await reasonOf(resolve(id, { outcome }))).toEqual([409, expect.stringContaining('the payout is pending')]);
    await movePayout(payments, id, 'complete');
    expect(await reasonOf(resolve(id, { outcome: 'failed' }))).toEqual([409, expect.stringContaining('the payout is completed')]);
    payments.ledger.loseNextReply(withdrawalDeductRequested);
    const decided = { status: 200, data: { status: 'RESOLVED', isEnded: false } };
    for (let repeats = 0; repeats < 3; repeats += 1) expect(await resolve(id, { outcome: 'succeeded' })).toMatchObject(decided);
    const { runs } = (await payments.get('/internal/saga-runs', system)).data as { readonly runs: readonly SagaRun[] };
    const runId = runs.find(({ aggregateId }) => aggregateId === id)?.id ?? '';
    await payments.post(`/internal/saga-runs/${runId}/redrive`, {}, system);
    await eventually(async () => expect(await statusOf(id)).toBe('WITHDRAWAL_COMPLETED'));
    expect(await resolve(id, { outcome: 'succeeded' })).toMatchObject({
      status: 200,
      data: { status: 'RESOLVED', isEnded: true, paymentStatus: 'WITHDRAWAL_COMPLETED' },
    });
    await eventually(() =>
      expect(resolutionsOf(id)).toMatchObject([
        { action: 'SAGA_RESOLVED', actorType: 'operator', actorId: 'Ada', reason: 'ticket 7', after: { outcome: 'succeeded' } },
      ]),
    );
    expect(await reasonOf(resolve(id, { outcome: 'failed' }))).toEqual([409, expect.stringContaining('with other values')]);
  });

  it('that waits fails: its payout is canceled at the provider, and the amount is released', async () => {
    const others = await aWithdrawal(payments, { amount: '100.00' });
    await commit(payments, others);
    const userId = await aPayee(payments, '2000.00');
    const body = bodyOf(userId, { amount: '950.00' });
    const id = (await payments.post('/withdrawals', body)).data.id as string;
    await commit(impatient, id);
    await eventually(async () => expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'CREATED' }]));
    const [first, again, second] = [
      await resolve(id, { outcome: 'failed' }),
      await resolve(id, { outcome: 'failed', by: 'Grace' }),
      await resolve(id, { outcome: 'failed', by: 'Grace', credential: 'two support' }),
    ];
    const pending = { status: 200, data: { status: 'PENDING_APPROVAL', isEnded: false } };
    expect([first, again]).toMatchObject([pending, pending]);
    expect(second).toMatchObject({ status: 200, data: { status: 'RESOLVED', requestedBy: 'Ada', approvedBy: 'Grace' } });
    await eventually(async () => expect(await statusOf(id)).toBe('WITHDRAWAL_CANCELED'));
    expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'CANCELED' }]);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '2000.00', reserved: '0.00' });
    await eventually(() =>
      expect(resolutionsOf(id).map(({ action, actorId }) => [action, actorId])).toEqual([
        ['SAGA_RESOLVE_REQUESTED', 'Ada'],
        ['SAGA_RESOLVED', 'Grace'],
      ]),
    );
  });
});

describe('a withdrawal to the ledger network', () => {
  async function aLedgerWithdrawal(): Promise<{ readonly id: string; readonly command: Envelope }> {
    payments.ledger.replyNextWith(withdrawalLedgerPayoutRequested, () => undefined);
    const id = await aWithdrawal(payments, { destination: { type: 'ledger', address: foreignAddress } });
    await commit(impatient, id);
    const command = payments.ledger.commands.find(
      ({ type, aggregateId }) => type === withdrawalLedgerPayoutRequested.type && aggregateId === id,
    );
    if (command === undefined) throw new Error('the payout was not requested');
    return { id, command };
  }

  it('succeeds with a transaction that escrow-adapter has proved, and not with another', async () => {
    const { id } = await aLedgerWithdrawal();
    const wrong = { outcome: 'succeeded', transactionHash: 'c'.repeat(64) };
    expect(await reasonOf(resolve(id, wrong))).toEqual([409, 'the network does not prove it']);
    expect(await resolve(id, { outcome: 'succeeded', transactionHash: provedHash })).toMatchObject({ status: 200 });
    expect(payments.payoutsResolved.get(id)).toBe('succeeded');
  });

  it('fails as canceled once escrow-adapter has replied that nothing was paid', async () => {
    const { id, command } = await aLedgerWithdrawal();
    expect(await resolve(id, { outcome: 'failed' })).toMatchObject({ status: 200, data: { isEnded: false } });
    expect(payments.payoutsResolved.get(id)).toBe('failed');
    const { type, version, aggregateType } = withdrawalLedgerPayoutFailed;
    const payload = { ...(command.payload as object), reason: 'canceled' };
    await payments.publish([{ ...command, id: payments.newId('evt'), type, version, aggregateType, payload }]);
    await eventually(async () => expect(await statusOf(id)).toBe('WITHDRAWAL_CANCELED'));
  });
});

describe('a top-up', () => {
  it('that the provider says is open can only fail, and its pay-in is canceled there first', async () => {
    const { id } = await aTopup(payments);
    expect(await reasonOf(resolve(id, { outcome: 'succeeded' }))).toEqual([409, expect.stringContaining('the payin is open')]);
    expect(await resolve(id, { outcome: 'failed' })).toMatchObject({ status: 200 });
    await eventually(async () => expect(await statusOf(id)).toBe('TOPUP_CANCELED'));
  });
});

describe('the return of a case', () => {
  const runOf = async (id: string) =>
    (
      await payments.database.asAdmin<{ readonly run: unknown }>(
        'select active_run as run from payments.reconciliation_cases where id = $1',
        [id],
      )
    )[0]?.run;

  /** A case whose return was decided, and whose payout waits at the provider. */
  async function aReturn(): Promise<string> {
    const { id } = await aLatePayment(payments);
    await impatient.post(`/reconciliation/cases/${id}/resolve`, { action: 'return', note: 'Sent back.' });
    await eventually(async () => expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'COMMITTED' }]));
    return id;
  }

  /** Another process seems to run the intent, so that the return does not end by itself. */
  async function hold(id: string): Promise<void> {
    const take = `update payments.intents set lease_owner = 'another', lease_token = lease_token + 1, lease_until = now() + interval '1 hour'
      where subject = $1 and closed_at is null and lease_until is null returning id`;
    await eventually(async () => expect(await payments.database.asAdmin(take, [id])).toHaveLength(1));
  }

  it('ends as the provider says, and the case can be resolved again after a failure', async () => {
    const id = await aReturn();
    expect(await reasonOf(resolve(id, { outcome: 'failed' }))).toEqual([409, expect.stringContaining('the payout is pending')]);
    await hold(id);
    await movePayout(payments, id, 'fail');
    expect(await reasonOf(resolve(id, { outcome: 'succeeded' }))).toEqual([409, expect.stringContaining('the payout is failed')]);
    expect(await resolve(id, { outcome: 'failed' })).toMatchObject({ status: 200, data: { status: 'RESOLVED' } });
    await payments.database.asAdmin('update payments.intents set lease_until = null where subject = $1', [id]);
    await eventually(async () => expect(await runOf(id)).toBeNull());
    expect((await payoutsOf(payments, id)).map(({ status }) => status)).toEqual(['FAILED']);
  });

  it('that the provider has never got fails, and nothing is sent afterwards', async () => {
    const { id } = await aLatePayment(payments);
    for (let lost = 0; lost < 3; lost += 1) proxy.interceptNext(/^POST .*payouts$/, 'no-request');
    await impatient.post(`/reconciliation/cases/${id}/resolve`, { action: 'return', note: 'Sent back.' });
    expect(await resolve(id, { outcome: 'failed' })).toMatchObject({ status: 200 });
    await eventually(async () => expect(await runOf(id)).toBeNull());
    expect(await payoutsOf(payments, id)).toEqual([]);
  });
});

describe('the credential of an operator', () => {
  it.each([
    ['unknown', 'the credential is not a valid API key'],
    ['one read', expect.stringMatching(/^the API key key_\w+ does not have the scope support$/)],
  ])('%s is refused', async (credential, reason) => {
    const id = await aWithdrawal(payments);
    expect(await reasonOf(resolve(id, { outcome: 'failed', credential }))).toEqual([409, reason]);
  });

  it('does not help for a payment that is nowhere', async () => {
    expect((await resolve(payments.newId('wd'), { outcome: 'failed' })).status).toBe(404);
  });
});
