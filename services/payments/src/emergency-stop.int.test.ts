import { emergencyStopChanged, emergencyStopId } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aWithdrawal, commit, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;

beforeAll(async () => {
  payments = await startPayments({ SETTLEMENT_TIMEOUT_MS: '5000', PAYOUTS_PER_HOUR_MAX: '70.00' });
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

/** The service reads the stored stop at intervals. */
const isNoticed = (): boolean => payments.log.lines.some(({ fact }) => fact === 'emergency stop changed');

it('while the emergency stop is on, payouts wait; afterwards they are sent', async () => {
  const id = await aWithdrawal(payments);
  await changeStop(true);
  await eventually(() => expect(isNoticed()).toBe(true));
  expect(await commit(payments, id)).toMatchObject({ status: 504, code: 'PROVIDER_TIMEOUT', details: { withdrawalId: id } });
  expect([await statusOf(id), await payoutsOf(payments, id)]).toEqual(['WITHDRAWAL_COMMITTED', []]);
  await changeStop(false);
  await eventually(async () => expect(await statusOf(id)).toBe('WITHDRAWAL_PENDING'));
});

it('beyond the cap of an hour payouts wait, uncommitted', async () => {
  const id = await aWithdrawal(payments);
  expect(await commit(payments, id)).toMatchObject({ status: 504 });
  await eventually(async () => expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'CREATED' }]));
  expect(await statusOf(id)).toBe('WITHDRAWAL_COMMITTED');
});
