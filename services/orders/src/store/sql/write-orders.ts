import { insertMany, updateMany, upsertMany } from '@holdfast/postgres';
import { commentColumns, disputeColumns, orderColumns } from '../schema.js';

const orders = { table: 'orders', columns: orderColumns } as const;
const disputes = { table: 'disputes', columns: disputeColumns } as const;

/**
 * Returns the ids of the inserted orders. The statement waits for a concurrent insert of the same client reference or id; if that
 * one commits, the order is not inserted.
 */
export const insertOrders = insertMany({
  ...orders,
  name: 'insert-orders',
  suffix: 'on conflict do nothing returning id',
});

/**
 * Updates all columns that change, except the milestones, which are large and seldom change. The orders exist and are locked;
 * `upsertMany` says why this is not a plain update.
 */
export const updateOrders = upsertMany({
  ...orders,
  name: 'update-orders',
  key: ['id'],
  set: [
    'status',
    'closeReason',
    'escrowId',
    'escrowStatus',
    'contractType',
    'providerContractId',
    'fundedAt',
    'releasedAt',
    'refundedAt',
    'escrowVersion',
    'disputeId',
    'ledgerPayout',
    'activeRun',
    'version',
    'lastEventId',
    'updatedAt',
  ],
});

export const updateMilestones = updateMany({ ...orders, name: 'update-milestones', key: ['id'], set: ['milestones'] });

export const insertDisputes = insertMany({ ...disputes, name: 'insert-disputes' });

export const updateDisputes = updateMany({
  ...disputes,
  name: 'update-disputes',
  key: ['id'],
  set: [
    'status',
    'assignedTo',
    'resolutionDecision',
    'decisionNote',
    'releaseUnits',
    'refundUnits',
    'resolvedBy',
    'version',
    'resolvedAt',
  ],
});

export const insertComments = insertMany({ table: 'dispute_comments', columns: commentColumns, name: 'insert-comments' });
