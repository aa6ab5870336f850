import type { DisputeRules } from '../../domain/order.js';
import type { MarketplaceClock } from '../../domain/marketplace-clock.js';

/** An instant within JSON, in the form of all others. */
const instantJson = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export type MarketplaceOfOrder = { readonly disputeRules: DisputeRules; readonly clock: MarketplaceClock };

/**
 * What the marketplace of an order has decided about its disputes, and its time, as part of a statement that locks orders: a decision
 * needs no statement of its own. Null if the marketplace has never decided, and its time is the real one.
 */
export const marketplaceOfOrder = `(
      select json_build_object(
        'disputeRules', json_build_object(
          'responsePeriod', marketplaces.dispute_response_period,
          'decisionPeriod', marketplaces.dispute_decision_period,
          'onNoResponse', marketplaces.on_no_response
        ),
        'clock', json_build_object(
          'offsetSeconds', marketplaces.clock_offset_seconds,
          'standsAt', ${instantJson('marketplaces.clock_stands_at')}
        )
      )
      from marketplaces
      where marketplaces.id = orders.marketplace_id
    )`;
