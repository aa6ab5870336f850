/**
 * What the marketplace of an order has decided about its disputes, as part of a statement that locks orders: a decision needs no
 * statement of its own. Null if the marketplace has never decided.
 */
export const disputeRules = `(
      select json_build_object(
        'responsePeriod', marketplaces.dispute_response_period,
        'decisionPeriod', marketplaces.dispute_decision_period,
        'onNoResponse', marketplaces.on_no_response
      )
      from marketplaces
      where marketplaces.id = orders.marketplace_id
    )`;
