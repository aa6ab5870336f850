/**
 * How long the transactions are valid that this service builds itself: long enough for a busy network, where a ledger takes about five
 * seconds and a bid is raised several times. One that is lost is submitted again, so a shorter time would not end it sooner.
 */
export const ownTransactionsValidMs = 180_000;
