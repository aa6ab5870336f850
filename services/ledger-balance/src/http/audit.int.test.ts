import type { AuditFact, Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

const byKey = { type: 'api_key', id: 'key_support' } as const;

/** Waits for this many audit entries about a user's balance. */
function auditsOf(userId: string, count: number): Promise<readonly Envelope<AuditFact>[]> {
  return eventually(() => {
    const entries = ledger.repliesTo(userId).filter(({ type }) => type === 'audit.recorded') as Envelope<AuditFact>[];
    expect(entries).toHaveLength(count);
    return entries;
  });
}

describe('the audit entry of a balance operation by hand', () => {
  it('has the balances before and after it, its caller, and names the event that it reports', async () => {
    const userId = await ledger.aUser();
    const operations = [
      ['credit', { amount: '10.00', reference: 'ref-1', description: 'goodwill' }, 'BALANCE_CREDITED', ['0.00', '0.00']],
      ['debit', { amount: '1.00' }, 'BALANCE_DEBITED', ['10.00', '0.00']],
      ['reserve', { amount: '5.00', orderId: 'ord_held' }, 'BALANCE_RESERVED', ['9.00', '0.00']],
      ['release', { amount: '2.00', orderId: 'ord_held' }, 'BALANCE_RELEASED', ['4.00', '5.00']],
      ['deduct-reserved', { amount: '3.00', orderId: 'ord_held' }, 'RESERVED_BALANCE_DEDUCTED', ['6.00', '3.00']],
    ] as const;
    for (const [operation, body] of operations)
      expect((await ledger.post(`/users/${userId}/balance/${operation}`, body, byKey)).status).toBe(200);

    const [events, entries] = [await ledger.eventsOf(userId, 5), await auditsOf(userId, 5)];
    const inOrder = operations.map(([, , action]) => entries.find(({ payload }) => payload.action === action));
    expect(inOrder.map((entry) => entry?.payload)).toMatchObject(
      operations.map(([, { amount }, action, [available, reserved]]) => ({
        action,
        resourceType: 'Balance',
        resourceId: userId,
        actorType: 'api_key',
        actorId: 'key_support',
        result: 'SUCCESS',
        before: { currency: 'USD', available, reserved },
        after: { currency: 'USD', amount },
      })),
    );
    expect(inOrder.map((entry) => entry?.afterEventId)).toEqual(events.map(({ id }) => id));
    expect(inOrder.map((entry) => entry?.payload.relatedIds)).toEqual([
      undefined,
      undefined,
      ['ord_held'],
      ['ord_held'],
      ['ord_held'],
    ]);
    expect(inOrder[0]?.payload).toMatchObject({ reason: 'goodwill', after: { available: '10.00', reference: 'ref-1' } });
    expect(inOrder[4]?.payload.after).toMatchObject({ available: '6.00', reserved: '0.00' });
  });

  it('is published once for a repeated operation, and not for a refused one', async () => {
    const userId = await ledger.aUser();
    const again = { ...byKey, operationId: 'op_audited' };
    for (let attempt = 0; attempt < 2; attempt += 1)
      await ledger.post(`/users/${userId}/balance/credit`, { amount: '3.00' }, again);
    expect((await ledger.post(`/users/${userId}/balance/debit`, { amount: '4.00' }, byKey)).code).toBe('INSUFFICIENT_FUNDS');
    await ledger.idle();
    expect(await auditsOf(userId, 1)).toMatchObject([{ payload: { action: 'BALANCE_CREDITED' } }]);
  });

  it('is BALANCE_ADJUSTED for a deposit that a sync has credited', async () => {
    const userId = await ledger.aUser();
    ledger.wallets.setDeposits([{ asset: 'USDC', amount: '7.25', operationId: `9${Math.floor(performance.now())}` }]);
    ledger.wallets.setHoldings({});
    await ledger.post(`/users/${userId}/balance/sync`, { currency: 'USDC' }, byKey);
    const [event] = await ledger.eventsOf(userId, 1);
    const [adjusted] = await auditsOf(userId, 1);
    expect(adjusted).toMatchObject({
      afterEventId: event?.id,
      payload: {
        action: 'BALANCE_ADJUSTED',
        actorId: 'key_support',
        result: 'SUCCESS',
        before: { currency: 'USDC', available: '0.00' },
        after: { available: '7.25', amount: '7.25' },
      },
    });
  });
});
