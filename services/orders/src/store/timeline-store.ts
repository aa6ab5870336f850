import type { Database } from '@holdfast/postgres';
import type { RunOfOrder, TimelineDeps, TimerOfOrder } from '../use-cases/timeline/ports.js';
import { findDisputeIdsOfOrder, findRunsOfOrder, findTimersOfOrder } from './sql/timeline.js';

/** The parts of a timeline that orders owns. */
export function timelineStore({
  lists,
}: Pick<Database, 'lists'>): Pick<TimelineDeps['timeline'], 'runsOf' | 'timersOf' | 'disputeIdsOf'> {
  return {
    runsOf: async ({ id, marketplaceId }, limit) =>
      (await lists.query<RunOfOrder>(findRunsOfOrder, [id, marketplaceId, limit])).rows,
    timersOf: async ({ id, marketplaceId }) => (await lists.query<TimerOfOrder>(findTimersOfOrder, [id, marketplaceId])).rows,
    disputeIdsOf: async ({ id, marketplaceId }, limit) => {
      const { rows } = await lists.query<{ readonly id: string }>(findDisputeIdsOfOrder, [id, marketplaceId, limit]);
      return rows.map((row) => row.id);
    },
  };
}
