import { emergencyStopChanged, emergencyStopId } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import type { ServiceTestClient } from '@holdfast/testing/services';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aWithdrawal, commit, payoutsOf } from './testing/withdrawals.js';

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

it('while the emergency stop is on, payouts wait; afterwards they are sent', async () => {
  const id = await aWithdrawal(payments);
  await changeStop(true);
  await eventually(() => expect(noticed()).toBe(2));
  expect(await commit(impatient, id)).toMatchObject({ status: 504, code: 'PROVIDER_TIMEOUT', details: { withdrawalId: id } });
  expect([await statusOf(id), await payoutsOf(payments, id)]).toEqual(['WITHDRAWAL_COMMITTED', []]);
  await changeStop(false);
  await eventually(async () => expect(await statusOf(id)).toBe('WITHDRAWAL_PENDING'));
});

it('beyond the cap of an hour payouts wait, uncommitted', async () => {
  const id = await aWithdrawal(payments);
  expect(await commit(impatient, id)).toMatchObject({ status: 504 });
  await eventually(async () => expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'CREATED' }]));
  expect(await statusOf(id)).toBe('WITHDRAWAL_COMMITTED');
});
