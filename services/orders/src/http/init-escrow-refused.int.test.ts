import { initEscrow, newBuyer, ordersOfBuyer, projectStatusOf, seen, type Buyer, type Init } from '../testing/buyers.js';
import { startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;
beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.stop());

const aBuyer = () => newBuyer(orders);
const init = (buyer: Buyer, given: Init) => initEscrow(orders, buyer, given);

describe('POST /escrow/init that is refused', () => {
  /** Nothing is left behind: no order, no event, no audit entry, no saga run. */
  async function expectNothingLeft(buyer: Buyer, seller_id: string): Promise<void> {
    await orders.idle();
    expect(await ordersOfBuyer(orders, buyer)).toEqual([]);
    expect(orders.published.filter(({ payload }) => Object.values(payload as object).includes(seller_id))).toEqual([]);
    expect(await orders.database.asAdmin(`select 1 from orders.orders where buyer_id = '${buyer.id}'`)).toEqual([]);
    expect(await projectStatusOf(orders, buyer)).toBe('open');
  }

  it.each([
    ['nothing', '0.00'],
    ['a cent too little', '99.99'],
    ['a ten-millionth too little', '99.9999999'],
  ])('400 with %s: no order is created and no event is published', async (_, available) => {
    const buyer = await aBuyer();
    const seller_id = orders.aUser();
    orders.ledger.setAvailable(buyer.id, available);
    expect(seen(await init(buyer, { seller_id }))).toEqual([400, 'Insufficient balance to fund escrow']);
    await expectNothingLeft(buyer, seller_id);
    orders.ledger.setAvailable(buyer.id, '100.00');
    expect((await init(buyer, { seller_id })).status).toBe(200);
  });

  it('checks the money last: 404, 400 and 422 of the other rules come first', async () => {
    const buyer = await aBuyer();
    orders.ledger.setAvailable(buyer.id, '0.00');
    expect((await init(buyer, { seller_id: 'usr_unknown' })).status).toBe(404);
    expect((await init(buyer, { seller_id: orders.aUser({ status: 'SUSPENDED' }) })).status).toBe(422);
    expect((await init(buyer, { seller_id: buyer.id })).status).toBe(422);
    expect((await init(buyer, { seller_id: orders.aUser(), project_id: 'prj_unknown' })).status).toBe(404);
  });

  it('200 for a repeated request of a buyer who has nothing left', async () => {
    const buyer = await aBuyer();
    const seller_id = orders.aUser();
    orders.ledger.setAvailable(buyer.id, '100.00');
    const first = (await init(buyer, { seller_id })).data;
    orders.ledger.setAvailable(buyer.id, '0.00');
    expect((await init(buyer, { seller_id })).data).toEqual(first);
  });

  it('503 while the balance cannot be read: no order is created; a repeated request of a funded one still gets its result', async () => {
    const [buyer, funded] = [await aBuyer(), await aBuyer()];
    const [seller_id, sellerOfFunded] = [orders.aUser(), orders.aUser()];
    const first = (await init(funded, { seller_id: sellerOfFunded })).data;
    for (const { id } of [buyer, funded]) orders.ledger.setAvailable(id, undefined);
    expect((await init(buyer, { seller_id })).status).toBe(503);
    await expectNothingLeft(buyer, seller_id);
    expect((await init(funded, { seller_id: sellerOfFunded })).data).toEqual(first);
  });
});
