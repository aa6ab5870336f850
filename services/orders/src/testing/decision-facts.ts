import {
  emergencyStopChanged,
  marketplaceChanged,
  orderClosed,
  type Envelope,
  type MessageDeclaration,
} from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, type OrderId } from '@holdfast/kernel/ids';
import type { NewSagaRun, OutgoingMessage } from '@holdfast/sagas';
import { silentLog } from '@holdfast/testing/log';
import { noDisputeRules } from '../domain/dispute.js';
import { realTime } from '../domain/marketplace-clock.js';
import type { Order } from '../domain/order.js';
import type { LockedOrder, NewOrderFacts, UnitOfWork } from '../use-cases/ports.js';
import { aDispute, anOrder, usd } from './an-order.js';
import {
  addKnownUser,
  aKnownUser,
  aRun,
  insertOrder,
  saveOrder,
  type PortFacts,
  type PortsUnderTest,
} from './ports-under-test.js';

const at = '2026-01-31T12:00:00.000000Z';
const marketplaceId = defaultMarketplaceId;
const other = 'mkt_other';
const ctx = { requestId: 'req-1', at, log: silentLog } as unknown as Context;

const keyOf = ({ id }: Pick<Order, 'id'>) => ({ marketplaceId, orderId: id });

function closedMessage({ id }: Pick<Order, 'id'>): OutgoingMessage {
  const payload = { orderId: id, finalStatus: 'CANCELED', closedAt: at };
  return { declaration: orderClosed, aggregateId: id, aggregateVersion: 2, marketplaceId, correlationId: 'req-1', payload };
}

function envelopeOf({ newId }: PortsUnderTest, { type, version, aggregateType }: MessageDeclaration, payload: unknown): Envelope {
  const about = { aggregateId: 'platform', aggregateVersion: 1, marketplaceId, correlationId: 'req-1' };
  return { ...about, id: newId('evt'), type, version, aggregateType, occurredAt: at, payload };
}

/** Writes one row of every kind. */
function writeEverything(ports: PortsUnderTest, run: NewSagaRun) {
  return (tx: UnitOfWork, { order }: LockedOrder): void => {
    const dispute = aDispute({ id: ports.newId('dsp') });
    tx.orders.save(order, { ...order, version: order.version + 1, dispute });
    tx.addComment({ id: ports.newId('cmt'), disputeId: dispute.id, text: 'a comment', author: 'agent', createdAt: at });
    tx.runs.start(run);
    tx.publish(closedMessage(order));
  };
}

/** What is committed about an order. */
async function committedOf(ports: PortsUnderTest, { id }: Pick<Order, 'id'>, { id: runId }: NewSagaRun) {
  const order = await ports.orders.find(marketplaceId, id);
  const disputeId = order?.dispute?.id ?? 'dsp_none';
  return {
    version: order?.version,
    comments: (await ports.disputes.comments(disputeId, { limit: 10 }))?.length,
    hasRun: (await ports.runs.restartRetries(runId)) !== undefined,
    messages: (await ports.published()).filter(({ aggregateId }) => aggregateId === id).map(({ type }) => type),
  };
}

const nothing = { version: 1, comments: 0, hasRun: false, messages: [] };

async function inboxKept(ports: PortsUnderTest, order: Order, refusal: Error): Promise<void> {
  const message = envelopeOf(ports, orderClosed, {});
  const count = (fails: boolean) =>
    ports.onMessage(message, order.id, (tx, locked) => {
      if (locked !== undefined) tx.orders.save(locked.order, { ...locked.order, version: locked.order.version + 1 });
      if (fails) throw refusal;
    });
  await expect(count(true)).rejects.toBe(refusal);
  await count(false);
  await Promise.all([count(false), count(false)]);
  expect((await ports.orders.find(marketplaceId, order.id))?.version).toBe(order.version + 1);
}

export const decisionFacts: PortFacts = {
  'a decision commits the order, dispute, comment, run and message together, and the caller gets its result': async (ports) => {
    const order = await insertOrder(ports);
    const run = aRun(ports, order.id);
    const write = writeEverything(ports, run);
    const result = await ports.onOrder(keyOf(order), (tx, locked) => {
      write(tx, locked);
      return 'decided';
    });
    expect(result).toBe('decided');
    const everything = { version: 2, comments: 1, hasRun: true, messages: ['order.closed'] };
    expect(await committedOf(ports, order, run)).toEqual(everything);
  },

  'a decision that throws leaves nothing behind, whether it is a refusal or a bug': async (ports) => {
    for (const error of [new AppError('INVALID_STATE'), new Error('a bug')]) {
      const order = await insertOrder(ports);
      const run = aRun(ports, order.id);
      const write = writeEverything(ports, run);
      const decided = ports.onOrder(keyOf(order), (tx, locked) => {
        write(tx, locked);
        throw error;
      });
      await expect(decided).rejects.toBe(error);
      expect(await committedOf(ports, order, run)).toEqual(nothing);
    }
  },

  'a message that breaks its contract leaves nothing of its decision': async (ports) => {
    const order = await insertOrder(ports);
    const run = aRun(ports, order.id);
    const write = writeEverything(ports, run);
    const decided = ports.onOrder(keyOf(order), (tx, locked) => {
      write(tx, locked);
      tx.publish({ ...closedMessage(order), payload: { orderId: order.id } });
    });
    await expect(decided).rejects.toThrow();
    expect(await committedOf(ports, order, run)).toEqual(nothing);
  },

  'a decision may save an order more than once; its last state is stored': async (ports) => {
    const order = await insertOrder(ports);
    await ports.onOrder(keyOf(order), (tx, { order: before }) => {
      const between = { ...before, version: 2 };
      tx.orders.save(before, between);
      tx.orders.save(between, { ...between, version: 3 });
    });
    expect((await ports.orders.find(marketplaceId, order.id))?.version).toBe(3);
  },

  'a decision gets the order with its parties; an unknown user counts as inactive': async (ports) => {
    const { id: buyerId } = await addKnownUser(ports);
    const { id: sellerId } = await addKnownUser(ports, { status: 'SUSPENDED' });
    const [known, unknown] = [await insertOrder(ports, { buyerId, sellerId }), await insertOrder(ports)];
    const lock = (order: Order) => ports.onOrder(keyOf(order), (_, locked) => locked);
    expect(await lock(known)).toEqual({
      order: known,
      parties: [
        { id: buyerId, isActive: true },
        { id: sellerId, isActive: false },
      ],
      isStopped: false,
      disputeRules: noDisputeRules,
      clock: realTime,
    });
    expect((await lock(unknown)).parties.map(({ isActive }) => isActive)).toEqual([false, false]);
  },

  'an order of another marketplace, and an unknown one, is ORDER_NOT_FOUND': async (ports) => {
    const { id } = await insertOrder(ports);
    for (const key of [
      { marketplaceId: other, orderId: id },
      { marketplaceId, orderId: 'ord_unknown' },
    ] as const)
      await expect(ports.onOrder(key, () => undefined)).rejects.toMatchObject({
        code: 'ORDER_NOT_FOUND',
        details: { orderId: key.orderId },
      });
  },

  'a dispute locks its order, also an earlier dispute; one of another marketplace is DISPUTE_NOT_FOUND': async (ports) => {
    const order = await insertOrder(ports);
    const resolution = { decision: 'FULL_REFUND', release: usd(0), refund: usd(100), note: null } as const;
    const earlier = aDispute({ id: ports.newId('dsp'), status: 'RESOLVED', resolution, resolvedBy: 'agent', resolvedAt: at });
    const newest = aDispute({ id: ports.newId('dsp') });
    for (const dispute of [earlier, newest]) await saveOrder(ports, { ...order, dispute });
    for (const disputeId of [earlier.id, newest.id]) {
      const locked = await ports.onDispute({ marketplaceId, disputeId }, (_, { order: found }) => found);
      expect([locked.id, locked.dispute?.id]).toEqual([order.id, newest.id]);
    }
    for (const key of [
      { marketplaceId: other, disputeId: newest.id },
      { marketplaceId, disputeId: 'dsp_unknown' },
    ] as const)
      await expect(ports.onDispute(key, () => undefined)).rejects.toMatchObject({
        code: 'DISPUTE_NOT_FOUND',
        details: { disputeId: key.disputeId },
      });
  },

  'an order has one dispute that is not resolved': async (ports) => {
    const order = await insertOrder(ports);
    await saveOrder(ports, { ...order, dispute: aDispute({ id: ports.newId('dsp') }) });
    const [stored] = await ports.orders.findMany([order.id]);
    await expect(saveOrder(ports, { ...order, dispute: aDispute({ id: ports.newId('dsp') }) })).rejects.toThrow();
    expect(await ports.orders.findMany([order.id])).toEqual([stored]);
  },

  'concurrent decisions on one order run one after the other': async (ports) => {
    const order = await insertOrder(ports);
    const count = () =>
      ports.onOrder(keyOf(order), (tx, { order: before }) => {
        tx.orders.save(before, { ...before, version: before.version + 1 });
        return before.version;
      });
    const versions = await Promise.all(Array.from({ length: 10 }, count));
    expect(versions.toSorted((one, another) => one - another)).toEqual(versions.map((_, index) => index + 1));
  },

  'a new order is decided with the known users of its marketplace and the order that has its reference': async (ports) => {
    const [buyer, foreign] = [await addKnownUser(ports), await addKnownUser(ports, { marketplaceId: other })];
    const clientOrderRef = ports.newId('ord');
    const first = await insertOrder(ports, { clientOrderRef });
    const factsOf = (given: { readonly marketplaceId: typeof marketplaceId; readonly clientOrderRef: string | null }) => {
      const userIds = [buyer.id, foreign.id, ports.newId('usr')];
      const key = { id: ports.newId('ord'), userIds, whenCommitted: () => undefined, ...given };
      return ports.onNewOrder<NewOrderFacts | undefined>(key, (_, facts) => facts);
    };
    expect(await factsOf({ marketplaceId, clientOrderRef })).toMatchObject({ users: [{ id: buyer.id }], takenBy: first.id });
    expect(await factsOf({ marketplaceId, clientOrderRef: null })).toMatchObject({ takenBy: undefined, project: undefined });
    expect(await factsOf({ marketplaceId: other, clientOrderRef })).toMatchObject({
      users: [{ id: foreign.id }],
      takenBy: undefined,
    });
  },

  'of concurrent new orders one gets a client reference': async (ports) => {
    const clientOrderRef = ports.newId('ord');
    const create = (id: OrderId) => {
      const key = { id, marketplaceId, userIds: [], clientOrderRef, whenCommitted: (found: Order) => found.id };
      return ports.onNewOrder(key, (tx, { takenBy }) => {
        if (takenBy === undefined) tx.orders.insert(anOrder({ id, clientOrderRef }));
        return takenBy ?? id;
      });
    };
    const results = await Promise.all(Array.from({ length: 8 }, () => create(ports.newId('ord'))));
    expect(new Set(results).size).toBe(1);
  },

  'a message has one effect; one that is refused can be redelivered': async (ports) => {
    await inboxKept(ports, await insertOrder(ports), new AppError('INVALID_STATE'));
    await inboxKept(ports, await insertOrder(ports), new Error('a bug'));
  },

  'a message about an unknown order, or one of another marketplace, is decided without an order': async (ports) => {
    const { id } = await insertOrder(ports);
    const found: unknown[] = [];
    const keep = (message: Envelope, orderId: string) =>
      ports.onMessage(message, orderId, (_, locked) => void found.push(locked?.order.id));
    await keep(envelopeOf(ports, orderClosed, {}), 'ord_unknown');
    await keep({ ...envelopeOf(ports, orderClosed, {}), marketplaceId: other }, id);
    await keep(envelopeOf(ports, orderClosed, {}), id);
    expect(found).toEqual([undefined, undefined, id]);
  },

  'a decision sees that the platform is stopped, until it is not': async (ports) => {
    const order = await insertOrder(ports);
    const change = async (isStopped: boolean, aggregateVersion: number) => {
      const message = { ...envelopeOf(ports, emergencyStopChanged, {}), aggregateVersion, payload: { isStopped } };
      await ports.handleStopChanged(message, ctx);
      return ports.onOrder(keyOf(order), (_, locked) => locked.isStopped);
    };
    expect([await change(true, 1), await change(false, 2)]).toEqual([true, false]);
  },

  'the rules of disputes are read with the lock; an older version and a second delivery never replace a newer one': async (
    ports,
  ) => {
    const order = await insertOrder(ports, { marketplaceId: `mkt_${ports.newId('evt')}` });
    const { marketplaceId: id } = order;
    const changed = (aggregateVersion: number, onNoResponse: 'none' | 'opener') => {
      const payload = { marketplaceId: id, disputeResponsePeriod: 'P3D', disputeDecisionPeriod: null, onNoResponse } as const;
      return { ...envelopeOf(ports, marketplaceChanged, {}), aggregateId: id, aggregateVersion, payload };
    };
    const rules = () => ports.onOrder({ marketplaceId: id, orderId: order.id }, (_, { disputeRules }) => disputeRules);
    expect(await rules()).toEqual({ responsePeriod: null, decisionPeriod: null, onNoResponse: 'none' });
    const newest = changed(3, 'opener');
    await ports.handleMarketplaceChanged(newest, ctx);
    await ports.handleMarketplaceChanged(changed(2, 'none'), ctx);
    await ports.handleMarketplaceChanged(newest, ctx);
    expect(await rules()).toEqual({ responsePeriod: 'P3D', decisionPeriod: null, onNoResponse: 'opener' });
  },

  'a user is fetched from identity once; an older version never replaces a newer one': async (ports) => {
    const user = aKnownUser(ports);
    const lookup = { marketplaceId, userId: user.id, requestId: 'req-1' };
    await expect(ports.users.require(lookup)).rejects.toMatchObject({ code: 'USER_NOT_FOUND', details: { userId: user.id } });
    expect(await ports.users.knownVersion(user.id)).toBe(0);
    ports.addToIdentity(user);
    expect(await ports.users.require(lookup)).toMatchObject({ id: user.id, status: 'ACTIVE', version: 1 });
    const change = (version: number, status: 'ACTIVE' | 'SUSPENDED') => {
      const payload = { userId: user.id, externalUserId: 'x', type: 'BUYER', status } as const;
      const message = envelopeOf(ports, { ...orderClosed, type: 'user.changed' }, payload) as Envelope<typeof payload>;
      return ports.users.handleUserChanged({ ...message, aggregateVersion: version }, ctx);
    };
    await change(3, 'SUSPENDED');
    await change(2, 'ACTIVE');
    expect(await ports.users.require(lookup)).toMatchObject({ type: 'BUYER', status: 'SUSPENDED', version: 3 });
    expect(await ports.users.knownVersion(user.id)).toBe(3);
    const elsewhere = { ...lookup, marketplaceId: other } as const;
    await expect(ports.users.require(elsewhere)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  },
};
