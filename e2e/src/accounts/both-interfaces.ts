import { eventually } from '@holdfast/testing/eventually';
import { expected, withoutMilestones } from '../events/expected.js';
import { textOf, type Order } from '../faults/order-life.js';
import type { AccountResponse } from './client.js';
import { balanceOf, projectOf, transactionsOf, type AccountPlatform, type Person } from './person.js';

/** A buyer with 150.00 who pays 100.00 of it for a project; the fee is 5 %. */
export type Story = {
  readonly platform: AccountPlatform;
  readonly buyer: Person;
  readonly seller: Person;
  readonly project_id: string;
  /** The public key of the wallet that the buyer has linked. */
  readonly walletKey: string;
  readonly order: Order;
};

/** How long events and audit entries may take on a loaded machine. */
const arrival = { timeoutMs: 60_000 };

export async function expectFunded(
  { platform, buyer, seller, project_id, order }: Story,
  escrow: AccountResponse,
): Promise<void> {
  expect(escrow).toMatchObject({
    status: 200,
    data: { project_id, buyer_id: buyer.id, seller_id: seller.id, amount: 100, currency: 'USD', status: 'funded' },
  });
  expect((await platform.api.get(`/orders/${order.id}`)).data).toMatchObject({
    buyerId: buyer.id,
    sellerId: seller.id,
    amount: '100.00',
    status: 'IN_PROGRESS',
    metadata: { projectId: project_id },
    escrow: { id: escrow.data['escrow_id'], status: 'FUNDED' },
  });
  expect(await projectOf(buyer, project_id)).toMatchObject({ status: 'in_progress' });
  expect(await balanceOf(buyer)).toEqual({ currency: 'USD', available: 50, held: 0 });
  expect(await transactionsOf(buyer)).toMatchObject([
    { type: 'credit', amount: 150, currency: 'USD' },
    { type: 'debit', amount: 100, currency: 'USD' },
  ]);
}

export async function expectReleased({ platform: { api }, buyer, seller, project_id, order }: Story): Promise<void> {
  expect(await projectOf(buyer, project_id)).toMatchObject({ status: 'completed' });
  expect((await api.get(`/orders/${order.id}`)).data).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  expect([await balanceOf(buyer), await balanceOf(seller)]).toMatchObject([
    { available: 50, held: 0 },
    { available: 95, held: 0 },
  ]);
  const userOf = async ({ id }: Person): Promise<unknown> => (await api.get(`/users/${id}`)).data;
  expect([await userOf(buyer), await userOf(seller)]).toMatchObject([
    { externalUserId: buyer.id, balance: { available: '50.00', reserved: '0.00' } },
    { externalUserId: seller.id, balance: { available: '95.00', reserved: '0.00' } },
  ]);
  expect(await transactionsOf(seller)).toMatchObject([{ type: 'credit', amount: 95, currency: 'USD' }]);
}

/** The same events as for an order that the marketplace makes; the linked wallet is shown beside the server-held one. */
export async function expectEvents({ platform: { reader }, buyer, walletKey, order: { id } }: Story): Promise<void> {
  const types = expected.release.slice(expected.release.indexOf('order.created'));
  const ofOrder = () => reader.events().filter(({ payload }) => payload['orderId'] === id || payload['sourceId'] === id);
  const ofBuyer = () =>
    reader.events().filter(({ aggregateType, aggregateId }) => aggregateType === 'User' && aggregateId === buyer.id);
  await eventually(() => {
    expect(ofOrder().map(({ eventType }) => eventType)).toEqual(withoutMilestones(types));
    const [first, ...others] = ofBuyer();
    expect(first?.eventType).toBe('user.created');
    const links = others.filter(({ eventType }) => eventType === 'user.ledger_linked').map(({ payload }) => payload);
    expect(links.map(({ walletType }) => walletType).toSorted()).toEqual(['EXTERNAL', 'INVISIBLE']);
    expect(links).toContainEqual(expect.objectContaining({ walletType: 'EXTERNAL', ledgerAddress: walletKey }));
  }, arrival);
}

/** The buyer is the actor of all that happened to the order. */
export async function expectAudit({ platform: { api }, buyer, order }: Story): Promise<void> {
  await eventually(async () => {
    const { data } = (await api.get(`/audit/logs?resourceId=${order.id}`)).data;
    const entries = Array.isArray(data) ? (data as readonly unknown[]) : [];
    const actions = entries.map((entry) => textOf(entry, 'action'));
    expect(actions).toEqual(expect.arrayContaining(['ORDER_CREATED', 'FUNDS_RESERVED', 'IN_PROGRESS', 'RELEASED', 'CLOSED']));
    expect(new Set(entries.map((entry) => textOf(entry, 'actorId')))).toEqual(new Set([buyer.id]));
  }, arrival);
}
