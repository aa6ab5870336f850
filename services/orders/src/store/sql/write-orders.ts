import { insertMany, propertiesBut, updateMany, updateOne } from '@holdfast/postgres';
import { comments, disputes, orders } from '../schema.js';

/**
 * Returns the ids of the inserted orders. The statement waits for a concurrent insert of the same client reference or id; if that
 * one commits, the order is not inserted.
 */
export const insertOrders = insertMany({
  ...orders,
  name: 'insert-orders',
  suffix: 'on conflict do nothing returning id',
});

/** Updates every column except those that are fixed at creation, and the milestones, which are large and seldom change. */
export const updateOrder = updateOne({
  ...orders,
  name: 'update-order',
  key: ['id'],
  set: propertiesBut(orders.columns, [
    'id',
    'marketplaceId',
    'clientOrderRef',
    'buyerId',
    'sellerId',
    'amountUnits',
    'currency',
    'title',
    'description',
    'metadata',
    'feeBasisPoints',
    'releaseMode',
    'reviewPeriod',
    'deliverBy',
    'onNotDelivered',
    'milestones',
    'createdAt',
  ]),
});

export const updateMilestones = updateMany({ ...orders, name: 'update-milestones', key: ['id'], set: ['milestones'] });

export const insertDisputes = insertMany({ ...disputes, name: 'insert-disputes' });

export const updateDisputes = updateMany({
  ...disputes,
  name: 'update-disputes',
  key: ['id'],
  set: propertiesBut(disputes.columns, [
    'id',
    'marketplaceId',
    'orderId',
    'openedBy',
    'reason',
    'evidence',
    'createdAt',
    'milestoneRef',
    'decideBy',
    'onNoResponse',
  ]),
});

export const insertComments = insertMany({ ...comments, name: 'insert-comments' });
