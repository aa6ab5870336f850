import { IsNull } from 'typeorm';
import type { Context } from '@holdfast/kernel/context';
import type { Outbox } from '@holdfast/messaging/outbox';
import { lockKey, propertiesBut, type Tx } from '@holdfast/postgres';
import type { QueuedEvent, Receiver, StartPositions, WebhookUnitOfWork } from '../../use-cases/webhooks/ports.js';
import { batches, insertBatches, removeBatches, selectBatchedEvents } from './batches.js';
import { insertDeliveries } from './insert-deliveries.js';
import { deliveries, endpoints, type EndpointRow } from './schema.js';
import type { SealedEndpoints } from './sealed-endpoints.js';
import * as sql from './sql.js';
import { storeDeliveries } from './store-deliveries.js';

export type WebhookUnitOfWorkDeps = {
  readonly outbox: Outbox;
  readonly sealed: SealedEndpoints;
  readonly wakeWorkers: () => void;
};

const forUpdate = { mode: 'pessimistic_write' } as const;

/** The stores of one transaction. */
export function createWebhookUnitOfWork(
  tx: Tx,
  { outbox, sealed, wakeWorkers }: WebhookUnitOfWorkDeps,
  { requestId }: Pick<Context, 'requestId'>,
): WebhookUnitOfWork {
  return {
    endpoints: endpointsIn(tx, sealed),
    deliveries: deliveriesIn(tx),
    batches: batchesIn(tx),
    log: logIn(tx),
    publish: (declaration, message) => outbox.add(tx, declaration, { ...message, correlationId: requestId }).id,
    wakeWorkers: () => tx.afterCommit(wakeWorkers),
  };
}

const starts = `fan_out_after as "fanOutAfter", replay_after as "replayAfter"`;
const saved = propertiesBut(endpoints.columns, ['id', 'marketplaceId', 'createdAt']);

function endpointsIn(tx: Tx, { toRow, toEndpoint }: SealedEndpoints): WebhookUnitOfWork['endpoints'] {
  const rows = tx.manager.getRepository(endpoints.entity);
  return {
    count: async (marketplaceId) => {
      await lockKey(tx, `holdfast:webhook-endpoints:${marketplaceId}`);
      return rows.countBy({ marketplaceId, deletedAt: IsNull() });
    },
    insert: async (endpoint, { fanOutAfter, replayAfter }) => {
      const row = toRow(endpoint);
      const columns = Object.values(endpoints.columns).map(({ column }) => column);
      const values = Object.keys(endpoints.columns).map((property) => row[property as keyof EndpointRow]);
      const parameters = [...columns, 'fan_out_after', 'replay_after'].map((_, index) => `$${index + 1}`);
      await tx.query(
        `insert into ${endpoints.table} (${columns.join(', ')}, fan_out_after, replay_after) values (${parameters.join(', ')})`,
        [...values, fanOutAfter, replayAfter],
      );
    },
    lock: async (marketplaceId, id) => {
      const row = await rows.findOne({ where: { id, marketplaceId, deletedAt: IsNull() }, lock: forUpdate });
      return row === null ? undefined : toEndpoint(row);
    },
    lockAll: async (ids, failedIds) => (await tx.query<EndpointRow>(sql.lockEndpoints, [ids, failedIds])).map(toEndpoint),
    save: async (endpoint) => {
      const row = toRow(endpoint);
      await rows.update({ id: endpoint.id }, Object.fromEntries(saved.map((property) => [property, row[property]])));
    },
    lockReceivers: (marketplaceIds) => tx.query<Receiver>(sql.selectReceivers, [marketplaceIds]),
    startsOf: async (id) => {
      const [found] = await tx.query<StartPositions>(`select ${starts} from ${endpoints.table} where id = $1`, [id]);
      if (found === undefined) throw new Error(`There is no webhook endpoint ${id}.`);
      return found;
    },
    saveStarts: async (id, { fanOutAfter, replayAfter }) => {
      await tx.query(`update ${endpoints.table} set fan_out_after = $2, replay_after = $3 where id = $1`, [
        id,
        fanOutAfter,
        replayAfter,
      ]);
    },
  };
}

/** So many rows are inserted by one statement. */
const insertedMax = 2_000;

function deliveriesIn(tx: Tx): WebhookUnitOfWork['deliveries'] {
  return {
    insert: async (rows) => {
      for (let start = 0; start < rows.length; start += insertedMax)
        await tx.query(insertDeliveries(rows.slice(start, start + insertedMax)));
    },
    find: async (marketplaceId, id) =>
      (await tx.manager.getRepository(deliveries.entity).findOneBy({ marketplaceId, id })) ?? undefined,
    cancel: async (ids) => {
      await tx.query(sql.cancelDeliveries, [ids]);
    },
    cancelOpen: async (endpointId) => (await tx.query<{ readonly count: number }>(sql.cancelOpen, [endpointId]))[0]?.count ?? 0,
    endWaits: async (endpointId, at) => {
      await tx.query(sql.endWaits, [endpointId, at]);
    },
    store: async (states) =>
      states.length === 0 ? 0 : ((await tx.query<{ readonly count: number }>(storeDeliveries(states)))[0]?.count ?? 0),
    dueNext: async (endedIds, at) => {
      await tx.query(sql.dueNext, [endedIds, at]);
    },
  };
}

function batchesIn(tx: Tx): WebhookUnitOfWork['batches'] {
  return {
    insert: async (added, at) => {
      await tx.query(insertBatches(added, at));
    },
    events: (endpointId, after, limit) => tx.query<QueuedEvent>(selectBatchedEvents, [endpointId, after, limit]),
    remove: async (stored) => {
      await tx.query(removeBatches(stored));
    },
    removeAll: async (endpointId) => {
      await tx.query(`delete from ${batches} where endpoint_id = $1`, [endpointId]);
    },
  };
}

type Position = { readonly position: bigint };

function logIn(tx: Tx): WebhookUnitOfWork['log'] {
  const end = async (): Promise<bigint> => positionIn(await tx.query<Position>('select last_position as position from appender'));
  const lockPosition = async (): Promise<bigint> =>
    positionIn(await tx.query<Position>('select position from webhook_fan_out for update'));
  return {
    end,
    lockPosition,
    lockFanOut: async () => {
      await lockPosition();
      await tx.query(sql.skipToEnd);
      return end();
    },
    savePosition: async (position) => {
      await tx.query('update webhook_fan_out set position = $1', [position]);
    },
    events: ({ marketplaceId, after, until, afterPosition, untilPosition, notDeliveredTo, limit }) =>
      tx.query<QueuedEvent>(sql.selectEventRange, [
        marketplaceId,
        after,
        until,
        afterPosition,
        untilPosition,
        notDeliveredTo,
        limit,
      ]),
    eventsAfter: (position, limit) => tx.query<QueuedEvent>(sql.selectEventsAfter, [position, limit]),
    hasEvent: async ({ position, eventAppendedAt }) => {
      const found = await tx.query('select from events where position = $1 and appended_at = $2', [position, eventAppendedAt]);
      return found.length > 0;
    },
  };
}

function positionIn([row]: readonly Position[]): bigint {
  if (row === undefined) throw new Error('The tables appender and webhook_fan_out have one row each.');
  return row.position;
}
