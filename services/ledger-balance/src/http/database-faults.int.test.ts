import { orderReserveRequested, type Envelope } from '@holdfast/contracts/messages';
import type { UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startCommitProxy, type CommitFault, type CommitProxy } from '@holdfast/testing/postgres';
import type { TestResponse } from '@holdfast/testing/services';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let proxy: CommitProxy;
let ledger: RunningLedger;

beforeAll(async () => {
  const databaseUrl = async (adminUrl: string): Promise<string> => {
    proxy = await startCommitProxy(adminUrl);
    return proxy.url;
  };
  ledger = await startLedger({ databaseUrl });
});

afterAll(async () => {
  await ledger.checkAndStop();
  await proxy.close();
});

const requestsCount = 40;
const commitFaultsMin = 2;

/** Starts the work while each COMMIT meets the fault, and removes the fault after some of them. */
async function whileCommitsFail<T>(fault: CommitFault, start: () => readonly Promise<T>[]): Promise<readonly T[]> {
  const faultsBefore = proxy.faultCount();
  proxy.setFault(fault);
  const results = Promise.all(start());
  await eventually(() => {
    expect(proxy.faultCount() - faultsBefore).toBeGreaterThanOrEqual(commitFaultsMin);
  });
  proxy.setFault('none');
  return results;
}

function post(userId: UserId, operation: string, amount: string): Promise<TestResponse> {
  return ledger.post(`/users/${userId}/balance/${operation}`, { amount });
}

async function balanceOf(userId: UserId): Promise<{ readonly available: string; readonly reserved: string }> {
  return (await ledger.get(`/users/${userId}/balance`)).data as { readonly available: string; readonly reserved: string };
}

async function transfersOf(userId: UserId): Promise<number> {
  const history = await ledger.get(`/users/${userId}/balance/transactions?limit=100`);
  return (history.data as { readonly data: readonly unknown[] }).data.length;
}

/** The replies about orders that are published or wait for the sweeper, because the outcome of the COMMIT was unknown. */
async function repliesNow(): Promise<readonly Envelope[]> {
  const rows = await ledger.database.asAdmin<{ readonly messages: string }>('select messages from ledger_balance.outbox');
  const stored = rows.flatMap(({ messages }) => JSON.parse(messages) as readonly Envelope[]);
  const replies = [...ledger.published, ...stored].filter(({ type }) => type.startsWith('balance.reservation_'));
  return [...new Map(replies.map((reply) => [reply.id, reply])).values()];
}

/** With the first fault Postgres has not committed, with the second one it has. */
const faults = ['lose-request', 'garble-response'] as const;

describe.each(faults)('requests without key or reference whose COMMIT meets the fault %s', (fault) => {
  it('200 for each of many credits, which are posted once', async () => {
    const userId = await ledger.aUser();
    const responses = await whileCommitsFail(fault, () =>
      Array.from({ length: requestsCount }, () => post(userId, 'credit', '1.00')),
    );
    expect(await transfersOf(userId)).toBe(requestsCount);
    expect(await balanceOf(userId)).toMatchObject({ available: `${requestsCount}.00` });
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const transferIds = new Set(responses.map(({ data }) => (data as { readonly transferId: string }).transferId));
    expect(transferIds.size).toBe(requestsCount);
  });

  it('200 for debits, reserves, releases and deductions, which are posted once; a refused one changes nothing', async () => {
    const userId = await ledger.aUser({ available: '1000.00' });
    await post(userId, 'reserve', '100.00');
    const operations = ['debit', 'reserve', 'release', 'deduct-reserved'].flatMap((operation) => [operation, operation]);
    const responses = await whileCommitsFail(fault, () => [
      ...operations.map((operation) => post(userId, operation, '1.00')),
      post(userId, 'debit', '5000.00'),
    ]);
    expect(responses.map(({ status, code }) => code ?? status)).toEqual([...operations.map(() => 200), 'INSUFFICIENT_FUNDS']);
    // 1000 - 100 reserved before - 2 debited - 2 reserved + 2 released; 100 + 2 reserved - 2 released - 2 deducted.
    expect(await balanceOf(userId)).toMatchObject({ available: '898.00', reserved: '98.00' });
    expect(await transfersOf(userId)).toBe(2 + operations.length);
  });

  it('messages are handled once, refused ones too', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    const orderIds = Array.from({ length: 12 }, (_, index) => `ord_${fault.replace('-', '')}${index}` as const);
    await whileCommitsFail(fault, () =>
      orderIds.map((orderId) =>
        ledger.publish(orderReserveRequested, orderId, { orderId, userId, amount: '1.00', currency: 'USD' }),
      ),
    );
    const replies = await eventually(async () => {
      const all = await repliesNow();
      const found = orderIds.map((orderId) =>
        all.filter(({ payload }) => (payload as { readonly orderId?: string }).orderId === orderId),
      );
      expect(found.map(({ length }) => length)).toEqual(orderIds.map(() => 1));
      return found.flat().map(({ type }) => type);
    });
    expect(replies.filter((type) => type === 'balance.reservation_refused')).toHaveLength(2);
    expect(await balanceOf(userId)).toMatchObject({ available: '0.00', reserved: '10.00' });
  });
});

describe('while the database is unreachable', () => {
  it('503 SERVICE_UNAVAILABLE with Retry-After; 200 without a restart once it is back', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    await ledger.database.setUnavailable(true);
    const responses = [
      await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', reference: 'during' }),
      await ledger.get(`/users/${userId}/balance`),
      await ledger.get(`/users/${userId}/balance/transactions`),
    ];
    for (const response of responses) {
      expect([response.status, response.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    await ledger.database.setUnavailable(false);
    await eventually(async () => {
      expect((await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', reference: 'during' })).status).toBe(200);
    });
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '11.00' });
  });
});
