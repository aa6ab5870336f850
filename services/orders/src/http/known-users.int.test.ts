import * as message from '@holdfast/contracts/messages';
import type { UserId } from '@holdfast/kernel/ids';
import type { TestResponse } from '@holdfast/testing/services';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const seen = ({ status, code }: TestResponse) => [status, code];

async function changeStatus(userId: UserId, status: message.UserStatus, version: number): Promise<void> {
  const changed = { userId, externalUserId: 'x', type: 'BOTH', status } as const;
  await orders.simulated.publish(message.userChanged, changed, { aggregateVersion: version });
  await orders.idle();
}

describe.each(['buyerId', 'sellerId'] as const)('a suspended %s', (party) => {
  it.each([
    ['reserve', []],
    ['fund', stepsUntil.escrowed],
  ] as const)('422 USER_NOT_ACTIVE for %s, after the state was checked and until the reinstatement', async (step, steps) => {
    const userId = orders.aUser();
    const { id } = await orders.anOrderAfter(steps, { [party]: userId });
    await changeStatus(userId, 'SUSPENDED', 2);
    const before = await orders.orderNow(id);
    const refused = await orders.do(id, step);
    expect([...seen(refused), refused.details]).toMatchObject([422, 'USER_NOT_ACTIVE', { userId }]);
    expect(await orders.orderNow(id)).toEqual(before);
    expect(seen(await orders.do(id, 'release'))).toEqual([400, 'INVALID_STATE']);
    await changeStatus(userId, 'ACTIVE', 3);
    expect(seen(await orders.do(id, step))).toEqual([201, undefined]);
  });

  it('500 INTERNAL_ERROR with details.reason for POST escrow, as specified; no command is published', async () => {
    const userId = orders.aUser();
    const { id } = await orders.anOrderAfter(stepsUntil.reserved, { [party]: userId });
    await changeStatus(userId, 'SUSPENDED', 2);
    const response = await orders.do(id, 'escrow');
    expect([...seen(response), response.details]).toMatchObject([500, 'INTERNAL_ERROR', { reason: 'USER_NOT_ACTIVE', userId }]);
    const types = (await orders.eventsOf(id)).map(({ type }) => type);
    expect(types).not.toContain('order.escrow_creating');
  });
});

describe('GET /internal/noted-users/{id}', () => {
  it('200 with the consumed version of a user, zero if there is none', async () => {
    const system = { type: 'system', id: 'identity', scopes: [] } as const;
    const userId = orders.aUser();
    const knownVersion = async () => (await orders.get(`/internal/noted-users/${userId}`, system)).data as object;
    expect(await knownVersion()).toEqual({ version: 0 });
    const changed = { userId, externalUserId: 'x', type: 'BOTH', status: 'SUSPENDED' } as const;
    await orders.simulated.publish(message.userChanged, changed, { aggregateVersion: 7 });
    await orders.simulated.publish(message.userCreated, { ...changed, status: 'ACTIVE' });
    await orders.idle();
    expect(await knownVersion()).toEqual({ version: 7 });
    const response = await orders.post('/orders', { buyerId: userId, sellerId: orders.aUser(), amount: '5.00' });
    expect(seen(response)).toEqual([422, 'USER_NOT_ACTIVE']);
  });
});
