import type { Instant } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { pageOf, type Listed, type PageFilter } from '@holdfast/kernel/pages';
import type { Dispute, Order } from '../domain/order.js';
import type { Project } from '../domain/project.js';
import { aDispute, aMilestone, anActiveRun, anEscrow, usd } from './an-order.js';
import { insertOrder, saveOrder, type PortFacts, type PortsUnderTest } from './ports-under-test.js';

const marketplaceId = defaultMarketplaceId;
const other = 'mkt_other';
const minutes = (minute: number): Instant => `2026-03-01T12:0${minute}:00.000000Z`;

/** Walks through all pages of a list. */
async function walk<Item extends { readonly id: string }>(
  list: (filter: PageFilter) => Listed<Item>,
  limit: number,
): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await pageOf(limit, list({ limit, cursor }));
    pages.push(items.map(({ id }) => id));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

function aProject({ newId }: PortsUnderTest, given: Partial<Project> = {}): Project {
  const usual = {
    marketplaceId,
    title: 'A website',
    description: '',
    budget: usd(100),
    orderId: null,
    canceledAt: null,
  } as const;
  return { ...usual, id: newId('prj'), ownerId: newId('usr'), createdAt: minutes(0), ...given };
}

/** The states that an order goes through, as changes of the one before. */
function everyState({ newId }: PortsUnderTest): readonly Partial<Order>[] {
  const at = minutes(3);
  const resolution = { decision: 'SPLIT', release: usd(60), refund: usd(40), note: 'half done' } as const;
  const opened = aDispute({ id: newId('dsp'), evidence: ['a', '"b"'], status: 'OPEN', assignedTo: null, version: 1 });
  return [
    {
      escrow: anEscrow({ fundedAt: at }),
      status: 'IN_PROGRESS',
      milestones: [aMilestone('a', { completedAt: at }), aMilestone('b')],
    },
    { dispute: opened, status: 'DISPUTED', version: 7, lastEventId: 'evt_2', updatedAt: at },
    { dispute: { ...opened, status: 'UNDER_REVIEW', assignedTo: 'agent', version: 2 } },
    { activeRun: anActiveRun({ saga: 'resolve-dispute', reason: 'r', resolution }), status: 'RELEASE_REQUESTED' },
    { ledgerPayout: { fee: '3.00', payouts: [{ userId: 'usr_seller', amount: '57.00', newAvailableBalance: '57.00' }] } },
    {
      activeRun: null,
      escrow: anEscrow({ status: 'RELEASED', fundedAt: at, releasedAt: at, version: 3 }),
      dispute: { ...opened, status: 'RESOLVED', resolution, resolvedBy: 'agent', resolvedAt: at, version: 3 },
      status: 'CLOSED',
      closeReason: 'SPLIT',
    },
  ];
}

async function disputed(ports: PortsUnderTest, order: Partial<Order>, dispute: Partial<Dispute>): Promise<Order> {
  const inserted = await insertOrder(ports, order);
  const after = { ...inserted, dispute: aDispute({ id: ports.newId('dsp'), ...dispute }) };
  await saveOrder(ports, after);
  return after;
}

export const readFacts: PortFacts = {
  'an order is read as it was written in every state': async (ports) => {
    let expected = await insertOrder(ports, {
      clientOrderRef: ports.newId('ord'),
      description: 'with everything',
      metadata: { z: [1, { a: null }], b: 'ü' },
      milestones: [aMilestone('a'), aMilestone('b')],
      lastEventId: 'evt_1',
    });
    for (const change of [{}, ...everyState(ports)]) {
      expected = { ...expected, ...change };
      await saveOrder(ports, expected);
      expect(await ports.orders.find(marketplaceId, expected.id)).toEqual(expected);
    }
  },

  'a save keeps what was fixed when the order was created': async (ports) => {
    const order = await insertOrder(ports, { clientOrderRef: ports.newId('ord') });
    const changed = { buyerId: 'usr_other', amount: usd(1), title: 'Other', metadata: { a: 1 }, feeBasisPoints: 1n } as const;
    await saveOrder(ports, { ...order, ...changed, clientOrderRef: null, createdAt: minutes(9), status: 'FUNDS_RESERVED' });
    expect(await ports.orders.find(marketplaceId, order.id)).toEqual({ ...order, status: 'FUNDS_RESERVED' });
  },

  'orders are found by id and by escrow within their marketplace, and by ids in all': async (ports) => {
    const escrow = anEscrow({ id: ports.newId('esc') });
    const [here, there] = [await insertOrder(ports, { escrow }), await insertOrder(ports, { marketplaceId: other })];
    const { orders } = ports;
    expect([await orders.find(marketplaceId, here.id), await orders.find(marketplaceId, there.id)]).toEqual([here, undefined]);
    expect(await orders.findByEscrow(marketplaceId, escrow.id)).toEqual(here);
    expect(await orders.findByEscrow(other, escrow.id)).toBeUndefined();
    const found = await orders.findMany([here.id, there.id, 'ord_unknown']);
    expect(found.map(({ id }) => id).toSorted()).toEqual([here.id, there.id].toSorted());
  },

  'orders are listed newest first, page by page, and filtered; the row of a cursor need not match the filters': async (ports) => {
    const buyerId = ports.newId('usr');
    const ids: string[] = [];
    for (const minute of [1, 2, 2, 3]) ids.unshift((await insertOrder(ports, { buyerId, createdAt: minutes(minute) })).id);
    await insertOrder(ports, { buyerId, marketplaceId: other });
    const list = (filter: PageFilter) => ports.orders.list(marketplaceId, { ...filter, buyerId });
    expect(await walk(list, 3)).toEqual([ids.slice(0, 3), ids.slice(3)]);
    expect(await walk(list, 4)).toEqual([ids]);
    const idsOf = async (filter: Partial<Parameters<typeof ports.orders.list>[1]>) =>
      (await ports.orders.list(marketplaceId, { limit: 10, buyerId, ...filter }))?.map(({ id }) => id);
    expect(await idsOf({ createdAfter: minutes(1), createdBefore: minutes(3) })).toEqual(ids.slice(1, 3));
    expect(await idsOf({ status: 'CLOSED' })).toEqual([]);
    expect(await idsOf({ sellerId: 'usr_none' })).toEqual([]);
    expect(await idsOf({ cursor: ids[0], createdBefore: minutes(2) })).toEqual(ids.slice(3));
    expect(await idsOf({ cursor: 'ord_unknown' })).toBeUndefined();
    expect(await ports.orders.list(other, { limit: 10, cursor: ids[0] })).toBeUndefined();
  },

  'a dispute is found with its order and listed by order, status and party, newest first': async (ports) => {
    const [older, newer] = [
      await disputed(ports, {}, { createdAt: minutes(1), openedBy: 'SELLER' }),
      await disputed(ports, {}, { createdAt: minutes(2), status: 'OPEN', assignedTo: null }),
    ];
    const { disputes } = ports;
    expect(await disputes.find(marketplaceId, older.dispute?.id ?? 'dsp_none')).toEqual(older);
    expect(await disputes.find(other, older.dispute?.id ?? 'dsp_none')).toBeUndefined();
    const mine = new Set<string>([older.id, newer.id]);
    const idsOf = async (filter: Partial<Parameters<typeof disputes.list>[1]>) =>
      (await disputes.list(marketplaceId, { limit: 100, ...filter }))?.map(({ id }) => id).filter((id) => mine.has(id));
    expect(await idsOf({})).toEqual([newer.id, older.id]);
    expect(await idsOf({ orderId: older.id })).toEqual([older.id]);
    expect(await idsOf({ status: 'OPEN' })).toEqual([newer.id]);
    expect(await idsOf({ openedBy: 'SELLER' })).toEqual([older.id]);
    expect(await idsOf({ cursor: newer.dispute?.id, limit: 1 })).toEqual([older.id]);
    expect(await idsOf({ cursor: 'dsp_unknown' })).toBeUndefined();
  },

  'comments are listed newest first, page by page': async (ports) => {
    const { id, dispute } = await disputed(ports, {}, {});
    const disputeId = dispute?.id ?? 'dsp_none';
    const comments = [1, 2, 3].map((minute) => ({
      id: ports.newId('cmt'),
      disputeId,
      text: 't',
      author: 'a',
      createdAt: minutes(minute),
    }));
    for (const comment of comments) await ports.onOrder({ marketplaceId, orderId: id }, (tx) => tx.addComment(comment));
    const ids = comments.map((comment) => comment.id).toReversed();
    expect(await walk((filter) => ports.disputes.comments(disputeId, filter), 2)).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(await ports.disputes.comments('dsp_unknown', { limit: 5 })).toEqual([]);
  },

  'projects are listed newest first, with the status that their order gives them': async (ports) => {
    const ownerId = ports.newId('usr');
    const inserted = [0, 1, 2, 3].map((minute) => aProject(ports, { ownerId, createdAt: minutes(minute) }));
    for (const project of inserted) await ports.projects.insert(project);
    const [first, second, third, fourth] = inserted as [Project, Project, Project, Project];
    const orderFor = async ({ id: projectId }: Project, given: Partial<Order>) => {
      const order = await insertOrder(ports, given);
      await ports.onOrder({ marketplaceId, orderId: order.id }, (tx) => tx.setOrderOfProject(projectId, order.id));
    };
    await orderFor(first, { status: 'CLOSED', closeReason: 'RELEASED' });
    await orderFor(second, { status: 'IN_PROGRESS' });
    await orderFor(third, { status: 'CLOSED', closeReason: 'REFUNDED' });
    await ports.projects.cancel({ marketplaceId, id: fourth.id }, () => ({ ...fourth, canceledAt: minutes(5) }));
    const list = async (page: number, limit: number, status?: 'open') => {
      const { items, total } = await ports.projects.list({ marketplaceId, ownerId }, { page, limit, status });
      return { statuses: items.map((item) => item.status), total };
    };
    expect(await list(1, 3)).toEqual({ statuses: ['canceled', 'open', 'in_progress'], total: 4 });
    expect(await list(2, 3)).toEqual({ statuses: ['completed'], total: 4 });
    expect(await list(1, 3, 'open')).toEqual({ statuses: ['open'], total: 1 });
    expect(await ports.projects.list({ marketplaceId: other, ownerId }, { page: 1, limit: 3 })).toEqual({ items: [], total: 0 });
    await expect(ports.projects.insert(first)).rejects.toMatchObject({ code: '23505' });
  },

  'a project is locked with its order; one of another marketplace is not found, and a throw changes nothing': async (ports) => {
    const project = aProject(ports);
    await ports.projects.insert(project);
    const order = await insertOrder(ports);
    await ports.onOrder({ marketplaceId, orderId: order.id }, (tx) => tx.setOrderOfProject(project.id, order.id));
    const paid = { ...project, orderId: order.id };
    const refusal = new Error('refused');
    const found: unknown[] = [];
    const cancel = (of: string) =>
      ports.projects.cancel({ marketplaceId: of as 'mkt_other', id: project.id }, (locked) => {
        found.push(locked);
        throw refusal;
      });
    await expect(cancel(marketplaceId)).rejects.toBe(refusal);
    await expect(cancel(other)).rejects.toBe(refusal);
    expect(found).toEqual([{ project: paid, order, isStopped: false }, undefined]);
    const key = { id: ports.newId('ord'), marketplaceId, userIds: [], clientOrderRef: null, projectId: project.id };
    const facts = await ports.onNewOrder<unknown>({ ...key, whenCommitted: () => undefined }, (_, { project: locked }) => locked);
    expect(facts).toEqual({ project: paid, order, isStopped: false });
  },
};
