import { InvalidArgumentError } from 'commander';
import { CannotStart } from '@holdfast/all-in-one/commands';
import { disputeDecisions } from '@holdfast/contracts/messages';
import { formatMoney, isAmount, money, parseMoney, subtract, unitsPerCent, type Money } from '@holdfast/kernel/money';
import type { Order } from '@holdfast/sdk';
import type { Flow, Stage } from './flow.js';
import { amountOf, ensureBalance, userOf } from './money.js';

const ofOrder = ['order', 'buyer', 'seller', 'amount', 'title'] as const;
const reason = 'holdfast trigger';

export const orderReleased: Flow = {
  description: 'an order is funded, delivered and released to the seller',
  params: [...ofOrder],
  play: async (stage) => {
    const { client, step } = stage;
    const order = await inProgress(stage);
    for await (const { ref, status } of client.orders.listMilestones(order.id)) {
      if (status !== 'COMPLETED') await client.orders.completeMilestone(order.id, ref);
      step('milestone', ref, 'COMPLETED');
    }
    return client.orders.release(order.id, { reason });
  },
};

export const orderRefunded: Flow = {
  description: 'an order is funded, then refunded to the buyer',
  params: [...ofOrder],
  play: async (stage) => stage.client.orders.refund((await inProgress(stage)).id, { reason }),
};

export const disputeResolved: Flow = {
  description: 'an order is funded and disputed, and support decides: decision=RELEASE, REFUND or SPLIT',
  params: [...ofOrder, 'dispute', 'decision', 'releaseAmount', 'refundAmount'],
  play: async (stage) => {
    const { client, step, params } = stage;
    const { decision = 'RELEASE' } = params;
    const known = disputeDecisions.find((each) => each === decision);
    if (known === undefined) throw new InvalidArgumentError(`decision must be one of ${disputeDecisions.join(', ')}.`);
    const dispute = params['dispute'] === undefined ? await open(stage) : await client.disputes.get(params['dispute']);
    step('dispute', dispute.id, dispute.status);
    if (dispute.status === 'OPEN')
      step('assign', dispute.id, (await client.disputes.assign(dispute.id, { assignedTo: 'agent-7' })).status);
    const { amounts } = await client.orders.get(dispute.orderId);
    const parts = known === 'SPLIT' ? partsOf(amounts.disputed, params) : {};
    return client.disputes.resolve(dispute.id, { decision: known, ...parts, note: reason });
  },
};

async function open(stage: Stage) {
  const { id: orderId } = await inProgress(stage);
  return stage.client.disputes.open(orderId, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
}

/** Those given, else two halves; the seller gets the odd cent. */
function partsOf(amount: string, { releaseAmount, refundAmount }: Stage['params']) {
  const whole = parseMoney(amount, 'USD');
  const half = money((whole.units / unitsPerCent / 2n) * unitsPerCent, 'USD');
  const toSeller = releaseAmount === undefined ? undefined : givenAmount(releaseAmount);
  const toBuyer = refundAmount === undefined ? undefined : givenAmount(refundAmount);
  return {
    releaseAmount: formatMoney(toSeller ?? subtract(whole, toBuyer ?? half)),
    refundAmount: formatMoney(toBuyer ?? subtract(whole, toSeller ?? subtract(whole, half))),
  };
}

function givenAmount(text: string): Money {
  if (!isAmount(text, 2)) throw new InvalidArgumentError(`"${text}" is not an amount such as 60.00.`);
  return parseMoney(text, 'USD');
}

/** Brings the named order, or a new one, to IN_PROGRESS. */
async function inProgress(stage: Stage): Promise<Order> {
  const { client, params, step } = stage;
  let order = params['order'] === undefined ? await create(stage) : await client.orders.get(params['order']);
  step('order', order.id, order.status);
  while (order.status !== 'IN_PROGRESS') {
    const next = await advance(stage, order);
    if (next.status === order.status) throw new CannotStart(`${order.id} stays ${order.status}.`);
    order = next;
    step('order', order.id, order.status);
  }
  return order;
}

async function create(stage: Stage): Promise<Order> {
  const [buyerId, sellerId, amount] = [await userOf(stage, 'buyer'), await userOf(stage, 'seller'), amountOf(stage)];
  const { title = 'An order of holdfast trigger' } = stage.params;
  return stage.client.orders.create({ buyerId, sellerId, amount, title });
}

async function advance(stage: Stage, order: Order): Promise<Order> {
  const { orders } = stage.client;
  switch (order.status) {
    case 'ORDER_CREATED':
      await ensureBalance(stage, order.buyerId, order.amount);
      return orders.reserve(order.id);
    case 'FUNDS_RESERVED':
      return orders.createEscrow(order.id);
    case 'ESCROW_FUNDING':
      return orders.fundEscrow(order.id);
    default:
      throw new CannotStart(
        `${order.id} is ${order.status}, which leads to no order in progress: leave "order" out, or name another one.`,
      );
  }
}
