import { custodyUnknownOutflowFound, type Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { foreignAddress } from './testing/withdrawals.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

const restoredAt = '2026-03-01T10:00:00.000000Z';

type Listed = {
  readonly sourceId: string;
  readonly amount: string;
  readonly outflows?: readonly { readonly sourceId: string }[];
};

async function caseOf(sourceId: string): Promise<(Listed & { readonly id: string }) | undefined> {
  const { data } = await payments.get('/reconciliation/cases?kind=unknown_outflow&limit=100');
  return (data.data as readonly (Listed & { readonly id: string })[]).find((found) => found.sourceId === sourceId);
}

function theCase(sourceId: string, expected: Partial<Listed>) {
  return eventually(async () => {
    const found = await caseOf(sourceId);
    expect(found).toMatchObject(expected);
    return found;
  });
}

const listOf = (currency: string): string => `restore ${restoredAt} ${currency}`;

/** Two messages about the same outflow. */
async function find(sourceId: string, amount: string, currency: 'USDC' | 'XLM'): Promise<void> {
  const { type, version, aggregateType } = custodyUnknownOutflowFound;
  const outflow = { place: 'treasury', userId: null, to: foreignAddress, memoHash: null, stopsPayouts: true };
  const envelope = (): Envelope => ({
    id: payments.newId('evt'),
    type,
    version,
    aggregateType,
    aggregateId: sourceId,
    aggregateVersion: 1,
    occurredAt: payments.clock.now(),
    marketplaceId: 'mkt_default',
    correlationId: 'test',
    payload: { ...outflow, sourceId, amount, currency },
  });
  await payments.publish([envelope(), envelope()]);
}

/** As a restore turns it on, and a person turns it off again. */
function setStop(isStopped: boolean): Promise<unknown> {
  return payments.database.asAdmin(
    `insert into payments.emergency_stop (is_stopped, version, changed_at, restored_at)
     values ($1, 1, now(), $2)
     on conflict (is_only_row) do update set is_stopped = excluded.is_stopped`,
    [isStopped, restoredAt],
  );
}

describe('outflows that nothing explains after a restore', () => {
  it('are one case with a list for each currency, while the stop of the restore is on', async () => {
    await setStop(true);
    await Promise.all([find('since-1', '3.00', 'USDC'), find('since-2', '4.50', 'USDC'), find('since-3', '1.00', 'XLM')]);
    const { outflows = [] } = (await theCase(listOf('USDC'), { amount: '-7.50' })) ?? {};
    expect(outflows.toSorted((one, other) => one.sourceId.localeCompare(other.sourceId))).toEqual([
      { sourceId: 'since-1', place: 'treasury', userId: null, amount: '3.00', to: foreignAddress },
      { sourceId: 'since-2', place: 'treasury', userId: null, amount: '4.50', to: foreignAddress },
    ]);
    const inLumens = await theCase(listOf('XLM'), { amount: '-1.00' });
    expect(inLumens?.outflows).toMatchObject([{ sourceId: 'since-3' }]);
    expect(await caseOf('since-1')).toBeUndefined();
  });

  it('have their own case once that one is resolved, and once payouts resume', async () => {
    const found = await theCase(listOf('USDC'), {});
    const resolution = { action: 'write_off', note: 'Paid by the old installation.' };
    const resolved = await payments.post(`/reconciliation/cases/${found?.id}/resolve`, resolution);
    expect(resolved.data).toMatchObject({ status: 'RESOLVED' });
    await find('since-4', '2.00', 'USDC');
    await theCase('since-4', { amount: '-2.00' });
    await setStop(false);
    await find('since-5', '2.00', 'XLM');
    await theCase('since-5', { amount: '-2.00' });
  });
});
