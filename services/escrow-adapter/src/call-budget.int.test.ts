import { IntentPaused } from '@holdfast/intents';
import { eventually } from '@holdfast/testing/eventually';
import { aFundedContract, requestContract, requestFunding, requestSettlement, type TestOrder } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';

/** The calls of an order with one milestone. */
const callsOfOrder = 6;

type IntentRow = { readonly subject: string; readonly attempts: number; readonly isOpen: boolean };

const intentsOf = (adapter: RunningAdapter, orders: readonly TestOrder[]) =>
  adapter.database.asAdmin<IntentRow>(
    `select subject, attempts, closed_at is null as "isOpen" from escrow_adapter.intents where subject = any($1)`,
    [orders.map(({ escrowId }) => escrowId)],
  );

describe('orders that need more calls than the provider allows', () => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter({ callsPerMinute: 3 * callsOfOrder });
    await adapter.another({ callsPerMinute: 3 * callsOfOrder });
  });
  afterAll(() => adapter.stop());

  it('are admitted as a whole: the first ones finish, the others wait without failing', async () => {
    const orders = await Promise.all(Array.from({ length: 8 }, () => requestContract(adapter)));
    const created = () =>
      orders.filter(({ orderId }) =>
        adapter.published.some(
          ({ type, payload }) => type === 'escrow.created' && Object.values(payload as object).includes(orderId),
        ),
      );
    await eventually(() => expect(created().length).toBeGreaterThanOrEqual(3));
    const [first, second] = created();
    if (first === undefined || second === undefined) throw new Error('no order was admitted');
    for (const order of [first, second]) {
      await requestFunding(adapter, order);
      await adapter.waitForReply(order.orderId, 'escrow.funded');
      await requestSettlement(adapter, order, { decision: 'RELEASE' });
      await adapter.waitForReply(order.orderId, 'escrow.released');
    }
    const intents = await intentsOf(adapter, orders);
    expect(intents.some(({ isOpen }) => isOpen)).toBe(true);
    expect(new Set(intents.map(({ attempts }) => attempts))).toEqual(new Set([0]));
    expect(adapter.published.map(({ type }) => type)).not.toContain('escrow.creation_failed');
  });
});

describe('a provider whose index is an hour behind', () => {
  let adapter: RunningAdapter;
  let pauses = 0;
  let isBehind = false;
  beforeAll(async () => {
    adapter = await startAdapter({
      indexLagMs: 3_600_000,
      wrapProvider: (real) => ({
        ...real,
        buildStep: (contract, step, options) => {
          if (!isBehind) return real.buildStep(contract, step, options);
          pauses += 1;
          return Promise.reject(new IntentPaused('the escrow provider does not know the contract yet', 20));
        },
      }),
    });
  });
  afterAll(() => adapter.stop());

  it('is informed of the deployment, so that the order can be funded and released', async () => {
    const order = await aFundedContract(adapter);
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    await adapter.waitForReply(order.orderId, 'escrow.released');
  });

  it('delays a funding without failing it while it does not know the contract yet', async () => {
    const order = await requestContract(adapter);
    await adapter.waitForReply(order.orderId, 'escrow.created');
    isBehind = true;
    await requestFunding(adapter, order);
    await eventually(() => expect(pauses).toBeGreaterThan(5));
    isBehind = false;
    await adapter.waitForReply(order.orderId, 'escrow.funded');
    expect(new Set((await intentsOf(adapter, [order])).map(({ attempts }) => attempts))).toEqual(new Set([0]));
  });
});

describe('an intent that has waited for too long', () => {
  it('fails', async () => {
    const adapter = await startAdapter({ callsPerMinute: 1, deadlines: { giveUpAfterMs: 10, waitMsMax: 10 } });
    try {
      const orders = [await requestContract(adapter), await requestContract(adapter)];
      const ended = await Promise.all(
        orders.map(({ orderId }) => adapter.waitForReply(orderId, 'escrow.created', 'escrow.creation_failed')),
      );
      expect(ended.map(({ type }) => type)).toContain('escrow.creation_failed');
    } finally {
      await adapter.stop();
    }
  });
});
