import * as message from '@holdfast/contracts/messages';
import type { EscrowId, ProjectId, UserId } from '@holdfast/kernel/ids';
import { parseMoney, type Currency } from '@holdfast/kernel/money';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, type MemoryOrders } from '../testing/memory-orders.js';
import { reply, type Responder } from '../testing/simulated-services.js';
import { initEscrow } from './init-escrow.js';
import { cancelProject, createProject, listProjects } from './projects.js';
import { releaseEscrow } from './release-escrow.js';

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

type Buyer = { readonly id: UserId; readonly projectId: ProjectId };
type Init = { readonly sellerId: string; readonly amount?: string; readonly currency?: Currency; readonly projectId?: ProjectId };

const byBuyer = ({ id }: Pick<Buyer, 'id'>) => orders.by({ type: 'account', id });

async function aBuyer(): Promise<Buyer> {
  const id = orders.aUser();
  const project = { ownerId: id, title: 'A website', description: '', budget: parseMoney('100.00', 'USDC') };
  return { id, projectId: (await createProject(orders.deps, project, byBuyer({ id }))).id };
}

const init = (buyer: Buyer, { sellerId, amount = '100.00', currency = 'USDC', projectId = buyer.projectId }: Init) =>
  initEscrow(orders.deps, { buyerId: buyer.id, projectId, sellerId, amount: parseMoney(amount, currency) }, byBuyer(buyer));
const statusOf = async ({ id, projectId }: Buyer) => {
  const { items } = await listProjects(orders.deps, { ownerId: id, page: 1, limit: 10 }, byBuyer({ id }));
  return items.find((project) => project.id === projectId)?.status;
};
const ordersOf = ({ id }: Buyer) => [...orders.ports.committed().orders.values()].filter(({ buyerId }) => buyerId === id);
const openRuns = () => [...orders.ports.committed().runs.values()].filter(({ outcome }) => outcome === null);
const typesOf = (id: string) => orders.eventsOf(id).map(({ type }) => type);

describe('initEscrow', () => {
  it('creates, reserves, deploys and funds an order; the project is in progress', async () => {
    const buyer = await aBuyer();
    const order = await init(buyer, { sellerId: orders.aUser(), amount: '99.99' });
    const metadata = { projectId: buyer.projectId };
    expect(order).toMatchObject({ status: 'IN_PROGRESS', amount: '99.99', title: 'A website', metadata });
    expect(await statusOf(buyer)).toBe('in_progress');
    expect(typesOf(order.id)).toEqual([
      'order.created',
      'order.funds_reserved',
      'order.escrow_creating',
      'order.escrow_funding',
      'escrow.funding_started',
      'order.escrow_funded',
      'order.in_progress',
    ]);
    expect(openRuns()).toEqual([]);
  });

  it('returns the order of the first request when it is repeated, also without money, without the ledger, and after the release', async () => {
    const buyer = await aBuyer();
    const sellerId = orders.aUser();
    orders.setAvailable(buyer.id, '100.00');
    const first = await init(buyer, { sellerId });
    for (const available of ['0.00', undefined]) {
      orders.setAvailable(buyer.id, available);
      expect(await init(buyer, { sellerId })).toEqual(first);
    }
    await orders.do(first.id, 'release');
    expect(await init(buyer, { sellerId })).toMatchObject({ id: first.id, status: 'CLOSED', closeReason: 'RELEASED' });
    expect(ordersOf(buyer)).toHaveLength(1);
  });

  it('INVALID_STATE for another amount, seller or currency of a project that has an escrow', async () => {
    const buyer = await aBuyer();
    const sellerId = orders.aUser();
    const { id: orderId } = await init(buyer, { sellerId });
    const others: readonly Init[] = [{ sellerId, amount: '99.00' }, { sellerId: orders.aUser() }, { sellerId, currency: 'XLM' }];
    for (const other of others) expect(await refusalOf(init(buyer, other))).toEqual(['INVALID_STATE', { orderId }]);
    await expect(init(buyer, { sellerId: orders.aUser() })).rejects.toThrow('The project has another escrow');
    expect(ordersOf(buyer)).toHaveLength(1);
  });

  it('is refused in the specified order, the money last, and leaves nothing behind', async () => {
    const [buyer, other] = [await aBuyer(), await aBuyer()];
    const sellerId = orders.aUser();
    orders.setAvailable(buyer.id, '99.9999999');
    const codeOf = async (given: Init) => (await refusalOf(init(buyer, given)))[0];
    for (const projectId of ['prj_unknown', other.projectId] as const)
      expect(await refusalOf(init(buyer, { sellerId, projectId }))).toEqual(['PROJECT_NOT_FOUND', { projectId }]);
    expect(await codeOf({ sellerId: 'usr_unknown' })).toBe('USER_NOT_FOUND');
    expect(await codeOf({ sellerId: buyer.id })).toBe('VALIDATION_ERROR');
    expect(await codeOf({ sellerId: orders.aUser({ status: 'SUSPENDED' }) })).toBe('USER_NOT_ACTIVE');
    expect(await codeOf({ sellerId, amount: '60000.01' })).toBe('LIMIT_EXCEEDED');
    const details = { requested: '100.00', available: '99.9999999', currency: 'USDC' };
    expect(await refusalOf(init(buyer, { sellerId }))).toEqual(['INSUFFICIENT_FUNDS', details]);
    orders.setAvailable(buyer.id, undefined);
    expect(await codeOf({ sellerId })).toBe('SERVICE_UNAVAILABLE');
    expect([ordersOf(buyer), openRuns(), orders.ports.committed().outbox.size]).toEqual([[], [], 0]);
    expect(await statusOf(buyer)).toBe('open');
    orders.setAvailable(buyer.id, '100.00');
    expect((await init(buyer, { sellerId })).status).toBe('IN_PROGRESS');
  });

  it('INVALID_STATE for a canceled project', async () => {
    const buyer = await aBuyer();
    await cancelProject(orders.deps, { id: buyer.projectId, ownerId: buyer.id }, byBuyer(buyer));
    const refused = () => init(buyer, { sellerId: orders.aUser() });
    expect(await refusalOf(refused())).toEqual(['INVALID_STATE', { currentStatus: 'canceled' }]);
    await expect(refused()).rejects.toThrow('Project is canceled');
  });
});

describe('a step of initEscrow that fails', () => {
  const details = { requested: '100.00', available: '1.00', currency: 'USDC' };
  const refused: Responder = (command) => [
    reply(message.balanceReservationRefused, { ...command, code: 'INSUFFICIENT_FUNDS', details }),
  ];
  const creationFails: Responder = ({ escrowId, orderId }) => [
    reply(message.escrowCreationFailed, { escrowId, orderId, reason: 'the provider refused' }),
  ];
  const deductionRefused: Responder = (command) => [
    reply(message.balanceDeductionRefused, { ...command, code: 'RESERVE_NOT_FOUND', details: {} }),
  ];
  const fundingFails: Responder = (command) => [
    reply(message.balanceDeductionRestored, { ...command, availableBalance: '0.00', reservedBalance: '100.00' }),
  ];

  it.each([
    ['reserve', message.orderReserveRequested, refused, 'INSUFFICIENT_FUNDS'],
    ['create-escrow', message.escrowDeployRequested, creationFails, 'SERVICE_UNAVAILABLE'],
    ['fund (deduction refused)', message.orderFundRequested, deductionRefused, 'SERVICE_UNAVAILABLE'],
    ['fund', message.orderFundRequested, fundingFails, 'SERVICE_UNAVAILABLE'],
  ] as const)('%s: the order is canceled, and the next attempt works', async (_, command, responder, code) => {
    const buyer = await aBuyer();
    const sellerId = orders.aUser();
    orders.simulated.replyNextWith(buyer.id, command, responder);
    expect((await refusalOf(init(buyer, { sellerId })))[0]).toBe(code);
    const [failed] = ordersOf(buyer);
    expect(failed).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    expect(typesOf(failed?.id ?? '')).toContain('order.canceled');
    expect([openRuns(), await statusOf(buyer)]).toEqual([[], 'open']);
    expect((await init(buyer, { sellerId })).status).toBe('IN_PROGRESS');
  });
});

describe('releaseEscrow', () => {
  const release = (escrowId: string | undefined, buyerId: UserId) =>
    releaseEscrow(orders.deps, { escrowId: escrowId as EscrowId, buyerId }, byBuyer({ id: buyerId }));

  it('releases the order of the buyer; the project is completed, and cannot be canceled or released again', async () => {
    const buyer = await aBuyer();
    const { escrow } = await init(buyer, { sellerId: orders.aUser() });
    expect(await release(escrow?.id, buyer.id)).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
    expect(await statusOf(buyer)).toBe('completed');
    expect((await refusalOf(release(escrow?.id, buyer.id)))[0]).toBe('INVALID_STATE');
    const canceled = cancelProject(orders.deps, { id: buyer.projectId, ownerId: buyer.id }, byBuyer(buyer));
    expect(await refusalOf(canceled)).toEqual(['INVALID_STATE', { orderStatus: 'CLOSED' }]);
  });

  it('UNAUTHORIZED for the seller and for strangers, ESCROW_NOT_FOUND for an unknown escrow', async () => {
    const buyer = await aBuyer();
    const sellerId = orders.aUser();
    const { escrow } = await init(buyer, { sellerId });
    for (const id of [sellerId, orders.aUser()]) expect((await refusalOf(release(escrow?.id, id)))[0]).toBe('UNAUTHORIZED');
    expect(await refusalOf(release('esc_unknown', buyer.id))).toEqual(['ESCROW_NOT_FOUND', { escrowId: 'esc_unknown' }]);
    expect(await statusOf(buyer)).toBe('in_progress');
  });

  it('INVALID_STATE while a dispute is open', async () => {
    const buyer = await aBuyer();
    const { id, escrow } = await init(buyer, { sellerId: orders.aUser() });
    await orders.do(id, 'dispute');
    expect((await refusalOf(release(escrow?.id, buyer.id)))[0]).toBe('INVALID_STATE');
  });

  it('of a refunded order leaves the project open for another one', async () => {
    const buyer = await aBuyer();
    const { id } = await init(buyer, { sellerId: orders.aUser() });
    await orders.do(id, 'refund');
    expect(await statusOf(buyer)).toBe('open');
    expect((await init(buyer, { sellerId: orders.aUser() })).status).toBe('IN_PROGRESS');
  });
});
