import { emergencyStopChanged, emergencyStopId } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import type { ServiceTestClient } from '@holdfast/testing/services';
import { aLatePayment, anOpenTopup, casesAbout } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aPayee, aWithdrawal, bodyOf, commit, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;
/** Its requests wait for a short time only. */
let impatient: ServiceTestClient;

beforeAll(async () => {
  payments = await startPayments({ PAYOUTS_PER_HOUR_MAX: '70.00' });
  impatient = await payments.startReplica({ SETTLEMENT_TIMEOUT_MS: '500' });
});
afterAll(() => payments.stop());

const statusOf = async (id: string): Promise<string> => (await payments.get(`/withdrawals/${id}`)).data.status as string;

let version = 0;

async function changeStop(isStopped: boolean): Promise<void> {
  version += 1;
  const { type, version: messageVersion, aggregateType } = emergencyStopChanged;
  await payments.publish([
    {
      id: payments.newId('evt'),
      type,
      version: messageVersion,
      aggregateType,
      aggregateId: emergencyStopId,
      aggregateVersion: version,
      occurredAt: payments.clock.now(),
      marketplaceId: defaultMarketplaceId,
      correlationId: 'test',
      payload: { isStopped },
    },
  ]);
  await eventually(async () =>
    expect(await payments.database.asAdmin('select is_stopped from payments.emergency_stop')).toEqual([
      { is_stopped: isStopped },
    ]),
  );
}

/** The replicas read the stored stop at intervals. */
const noticed = (): number => payments.log.lines.filter(({ fact }) => fact === 'emergency stop changed').length;

/** Resolves when both replicas know it. */
async function stopEverywhere(isStopped: boolean): Promise<void> {
  const before = noticed();
  await changeStop(isStopped);
  await eventually(() => expect(noticed()).toBe(before + 2));
}

const refusal = { status: 503, code: 'PLATFORM_STOPPED', headers: { 'retry-after': '60' } };
const note = 'The user has called.';

describe('while the emergency stop is on', () => {
  it('503 PLATFORM_STOPPED for requests that pay out, which change nothing and succeed afterwards; all others succeed', async () => {
    const [id, userId, found] = [await aWithdrawal(payments), await aPayee(payments), await aLatePayment(payments)];
    const committed = () => payments.post(`/withdrawals/${id}/commit`, {}, { operationId: 'commit' });
    const created = () =>
      payments.post('/withdrawals', bodyOf(userId, { amount: '5.00', commit: true }), { operationId: 'create' });
    const returned = () => impatient.post(`/reconciliation/cases/${found.id}/resolve`, { action: 'return', note });
    await stopEverywhere(true);
    for (const request of [committed, created, returned]) expect(await request()).toMatchObject(refusal);
    expect([await statusOf(id), await payoutsOf(payments, id)]).toEqual(['WITHDRAWAL_CREATED', []]);
    expect((await payments.get(`/withdrawals?userId=${userId}`)).data.data).toEqual([]);
    expect(await casesAbout(payments, found.sourceId)).toMatchObject([{ status: 'OPEN' }]);
    const held = await aWithdrawal(payments);
    expect(await payments.post(`/withdrawals/${held}/cancel`, {})).toMatchObject({ status: 200 });
    await anOpenTopup(payments);
    await stopEverywhere(false);
    expect(await committed()).toMatchObject({ status: 200, data: { status: 'WITHDRAWAL_PENDING' } });
    expect(await created()).toMatchObject({ status: 201, data: { status: 'WITHDRAWAL_PENDING' } });
    expect(await returned()).toMatchObject({ status: 504 }); // the payout is not completed
  });

  it('a payout that was requested before waits, and is sent afterwards', async () => {
    const id = await aWithdrawal(payments, { amount: '5.00' });
    const fault = { target: 'payment-provider', operation: 'create-payout', kind: 'error-before-effect', times: 1_000 };
    await payments.control('/faults', fault);
    expect(await commit(impatient, id)).toMatchObject({ status: 504, code: 'PROVIDER_TIMEOUT', details: { withdrawalId: id } });
    await stopEverywhere(true);
    await fetch(`${payments.sandbox.controlUrl}/faults`, { method: 'DELETE' });
    const before = await runsOf(id);
    await eventually(async () => expect(await runsOf(id)).toBeGreaterThan(before));
    expect([await statusOf(id), await payoutsOf(payments, id)]).toEqual(['WITHDRAWAL_COMMITTED', []]);
    await stopEverywhere(false);
    await eventually(async () => expect(await statusOf(id)).toBe('WITHDRAWAL_PENDING'));
  });
});

/** How often the intent of a withdrawal has run: each run takes a lease. */
async function runsOf(id: string): Promise<number> {
  const [row] = await payments.database.asAdmin<{ readonly runs: string }>(
    'select lease_token::text as runs from payments.intents where subject = $1',
    [id],
  );
  return Number(row?.runs);
}

it('beyond the cap of an hour payouts wait, uncommitted', async () => {
  const id = await aWithdrawal(payments);
  expect(await commit(impatient, id)).toMatchObject({ status: 504 });
  await eventually(async () => expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'CREATED' }]));
  expect(await statusOf(id)).toBe('WITHDRAWAL_COMMITTED');
});
