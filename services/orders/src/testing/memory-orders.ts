import type { OpenedDisputeRecord, OrderRecord } from '@holdfast/contracts/http';
import { allMessages, type AuditFact, type Envelope } from '@holdfast/contracts/messages';
import type { Caller, Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, idFactory, type OrderId, type UserId } from '@holdfast/kernel/ids';
import { parseMoney, parseUnits } from '@holdfast/kernel/money';
import type { KnownUser } from '@holdfast/service-kit/known-users';
import { manualClock, type ManualClock } from '@holdfast/testing/clock';
import { collectingLog, type CollectingLog } from '@holdfast/testing/log';
import { trackDeliveries } from '@holdfast/testing/memory';
import { createOrder } from '../use-cases/create-order.js';
import { getOrder } from '../use-cases/get-order.js';
import type { CreateOrder } from '../use-cases/new-order.js';
import { openDispute } from '../use-cases/open-dispute.js';
import type { Deps } from '../use-cases/ports.js';
import { recordOf } from '../use-cases/records.js';
import { requestCancel } from '../use-cases/request-cancel.js';
import { requestEscrow } from '../use-cases/request-escrow.js';
import { requestFunding } from '../use-cases/request-funding.js';
import { requestRefund } from '../use-cases/request-refund.js';
import { requestRelease } from '../use-cases/request-release.js';
import { requestReserve } from '../use-cases/request-reserve.js';
import { deliver } from './deliver.js';
import { memoryPorts, type MemoryPorts } from './memory-ports.js';
import { simulateServices, type SimulatedServices } from './simulated-services.js';

/** The use cases of orders on in-memory ports, for tests of decisions. Simulated services reply to their commands. */
export type MemoryOrders = {
  readonly deps: Deps;
  readonly ports: MemoryPorts;
  readonly simulated: SimulatedServices;
  readonly clock: ManualClock;
  readonly log: CollectingLog;
  /** The context of a request, by default of an API key of the default marketplace. */
  readonly by: (caller?: Partial<Caller>) => Context;
  /** Adds a user to identity. */
  readonly aUser: (given?: Partial<KnownUser>) => UserId;
  /** Undefined: the balance cannot be read. By default a user has plenty. */
  readonly setAvailable: (userId: UserId, amount: string | undefined) => void;
  readonly anOrder: (given?: Partial<CreateOrder>) => Promise<OrderRecord>;
  /** Creates an order and takes it through these steps. */
  readonly anOrderAfter: (steps: readonly Step[], given?: Partial<CreateOrder>) => Promise<OrderRecord>;
  readonly do: <Name extends Step>(orderId: string, step: Name, ctx?: Context) => ReturnType<(typeof steps)[Name]>;
  readonly orderNow: (orderId: string) => Promise<OrderRecord>;
  /** The public events about an order, in the order of publishing. */
  readonly eventsOf: (orderId: string) => readonly Envelope[];
  readonly auditsOf: (orderId: string) => readonly AuditFact[];
  /** The last message of this type about the order. */
  readonly lastOf: (orderId: string, declaration: { readonly type: string }) => Envelope | undefined;
  /** The time that has passed does not count as an outage. */
  readonly keepAlive: () => void;
  /** Resolves when every message has been handled. Rejects with the first error of a handler. */
  readonly idle: () => Promise<void>;
};

const steps = {
  reserve: (deps: Deps, id: OrderId, ctx: Context): Promise<OrderRecord> => requestReserve(deps, { id }, ctx),
  cancel: (deps: Deps, id: OrderId, ctx: Context): Promise<OrderRecord> => requestCancel(deps, { id }, ctx),
  escrow: (deps: Deps, id: OrderId, ctx: Context): Promise<OrderRecord> => requestEscrow(deps, { id }, ctx),
  fund: (deps: Deps, id: OrderId, ctx: Context): Promise<OrderRecord> => requestFunding(deps, { id }, ctx),
  release: (deps: Deps, orderId: OrderId, ctx: Context): Promise<OrderRecord> => requestRelease(deps, { orderId }, ctx),
  refund: (deps: Deps, orderId: OrderId, ctx: Context): Promise<OrderRecord> =>
    requestRefund(deps, { orderId, reason: 'late' }, ctx),
  dispute: (deps: Deps, orderId: OrderId, ctx: Context): Promise<OpenedDisputeRecord> =>
    openDispute(deps, { orderId, openedBy: 'BUYER', reason: 'NOT_DELIVERED' }, ctx),
};
type Step = keyof typeof steps;

export const stepsUntil = {
  reserved: ['reserve'],
  escrowed: ['reserve', 'escrow'],
  inProgress: ['reserve', 'escrow', 'fund'],
  disputed: ['reserve', 'escrow', 'fund', 'dispute'],
} as const satisfies Record<string, readonly Step[]>;

const limits = {
  retries: { firstAfterMs: 60_000, afterMsMax: 3_600_000 },
  deadlines: { sagas: ['reserve', 'create-escrow', 'fund'], afterMs: 3_600_000 },
};
const amountLimits = { minUnits: parseUnits('1.00'), maxUnits: parseUnits('60000.00') };
const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

export function memoryOrders(given: Partial<Deps> = {}): MemoryOrders {
  const clock = manualClock();
  const newId = idFactory(clock.epochMs);
  const log = collectingLog();
  const deliveries = trackDeliveries((envelope) =>
    deliver(deps, envelope, { ...by({ type: 'system' }), requestId: envelope.correlationId }),
  );
  const simulated = simulateServices(deliveries.publish, clock, newId);
  const ports = memoryPorts({ clock, newId, onPublished: simulated.onPublished, ...limits });
  const available = new Map<UserId, string | undefined>();
  const { committed: _committed, ...stored } = ports;
  const deps: Deps = {
    ...stored,
    balances: {
      available: async (userId, currency) => {
        const amount = available.has(userId) ? available.get(userId) : '1000000.00';
        if (amount === undefined) throw new AppError('SERVICE_UNAVAILABLE');
        return parseMoney(amount, currency);
      },
    },
    transfers: { ofOrder: () => Promise.resolve({ items: [], nextCursor: null }) },
    timeoutMs: 5_000,
    unabortedAfterMs: 3_600_000,
    settlementsContradicted: { inc: () => undefined },
    isStoppedBySetting: false,
    amountLimits,
    newId,
    ...given,
  };
  const by: MemoryOrders['by'] = (caller = {}) => {
    const usual = { type: 'api_key', id: 'key_1', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
    return { requestId: newId('evt'), caller: { ...usual, ...caller }, at: clock.now(), log };
  };
  return {
    deps,
    ports,
    simulated,
    clock,
    log,
    by,
    setAvailable: (userId, amount) => void available.set(userId, amount),
    keepAlive: () => {
      const { heartbeat } = ports.committed();
      const { graceUntil = null } = heartbeat.get('platform') ?? {};
      heartbeat.set('platform', { beatAt: clock.now(), graceUntil });
    },
    idle: deliveries.idle,
    ...ordersOf(deps, ports, by),
    ...observersOf(ports),
  };
}

type Making = Pick<MemoryOrders, 'aUser' | 'anOrder' | 'anOrderAfter' | 'do' | 'orderNow'>;

function ordersOf(deps: Deps, ports: MemoryPorts, by: MemoryOrders['by']): Making {
  const aUser: MemoryOrders['aUser'] = (given = {}) => {
    const id = deps.newId('usr');
    const receivedAt = by().at;
    const user = { id, marketplaceId: defaultMarketplaceId, type: 'BOTH', status: 'ACTIVE', version: 1, receivedAt } as const;
    ports.users.addToIdentity({ ...user, ...given });
    return id;
  };
  const anOrder: MemoryOrders['anOrder'] = (given = {}) =>
    createOrder(deps, { buyerId: aUser(), sellerId: aUser(), amount: '100.00', currency: 'USD', ...given }, by());
  const take: MemoryOrders['do'] = (orderId, step, ctx = by()) =>
    steps[step](deps, orderId as OrderId, ctx) as ReturnType<(typeof steps)[typeof step]>;
  return {
    aUser,
    anOrder,
    do: take,
    anOrderAfter: async (names, given) => {
      const order = await anOrder(given);
      for (const name of names) await take(order.id, name);
      return order;
    },
    orderNow: async (orderId) => recordOf(await getOrder(deps, { id: orderId as OrderId }, by())),
  };
}

function observersOf({ committed }: MemoryPorts): Pick<MemoryOrders, 'eventsOf' | 'auditsOf' | 'lastOf'> {
  const about = (orderId: string): readonly Envelope[] =>
    [...committed().outbox.values()].filter(
      ({ aggregateId, payload }) => aggregateId === orderId || Object.values(payload as object).includes(orderId),
    );
  return {
    eventsOf: (orderId) => about(orderId).filter(({ type }) => publicTypes.has(type)),
    auditsOf: (orderId) =>
      about(orderId)
        .filter(({ type }) => type === 'audit.recorded')
        .map(({ payload }) => payload as AuditFact),
    lastOf: (orderId, { type }) => about(orderId).findLast((each) => each.type === type),
  };
}
