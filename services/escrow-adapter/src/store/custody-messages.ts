import {
  custodyRecordQuarantined,
  custodyTransactionsLanded,
  custodyUnknownDepositFound,
  custodyUnknownOutflowFound,
} from '@holdfast/contracts/messages';
import { defaultMarketplaceId, isId } from '@holdfast/kernel/ids';
import { formatUnits } from '@holdfast/kernel/money';
import type { Outbox } from '@holdfast/messaging/outbox';
import { insertMany, type Tx } from '@holdfast/postgres';
import { holdings, type HoldingRow } from './schema.js';
import type { CreditedCurrency } from '../domain/credited-currency.js';
import type { ClaimedTransaction, LandedTransaction, Outflow, QuarantinedRecord } from '../use-cases/custody/ports.js';
import { groupIntoMessages, toPayload } from './landed-message.js';

export type CustodyMessageDeps = {
  readonly outbox: Outbox;
  readonly creditedCurrency: CreditedCurrency;
  /** Whether an outflow that the platform has not made turns the emergency stop on. */
  readonly outflowStops: boolean;
};

const addHoldings = insertMany({
  ...holdings,
  name: 'add-wallet-holdings',
  suffix: `
  on conflict (user_id, asset) do update
  set units = wallet_holdings.units + excluded.units`,
});

/** Publishes the legs of transactions and adds them to the holdings of wallets. */
export function publishLanded({ outbox }: CustodyMessageDeps, tx: Tx, transactions: readonly LandedTransaction[]): void {
  const changes = holdingsIn(transactions);
  if (changes.length > 0) tx.defer(addHoldings(changes));
  for (const group of groupIntoMessages(transactions.filter(({ legs }) => legs.length > 0))) {
    const [{ hash: aggregateId }] = group;
    outbox.add(tx, custodyTransactionsLanded, {
      aggregateId,
      aggregateVersion: 1,
      marketplaceId: defaultMarketplaceId,
      correlationId: aggregateId,
      payload: toPayload(group),
    });
  }
}

/** The changes of wallet holdings, sorted by key so that concurrent transactions lock the rows in one order. */
function holdingsIn(transactions: readonly LandedTransaction[]): readonly HoldingRow[] {
  const sums = new Map<string, HoldingRow>();
  for (const { place, ownerId, asset, units } of transactions.flatMap(({ legs }) => legs)) {
    if (place !== 'wallet' || ownerId === undefined || !isId(ownerId, 'usr')) continue;
    const key = `${ownerId} ${asset}`;
    sums.set(key, { userId: ownerId, asset, units: (sums.get(key)?.units ?? 0n) + units });
  }
  return [...sums.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, holding]) => holding);
}

export function publishUnknownDeposits(
  { outbox, creditedCurrency }: CustodyMessageDeps,
  tx: Tx,
  { hash, unknownDeposits }: Pick<ClaimedTransaction, 'hash' | 'unknownDeposits'>,
): void {
  for (const { operationId, marketplaceId, form, asset, units, userId, orderId } of unknownDeposits) {
    outbox.add(tx, custodyUnknownDepositFound, {
      aggregateId: operationId,
      aggregateVersion: 1,
      marketplaceId,
      correlationId: hash,
      payload: { operationId, form, amount: formatUnits(units), currency: creditedCurrency(asset), userId, orderId },
    });
  }
}

type FoundOutflow = Outflow & { readonly hash: string };

/** Reports tokens that left one of our accounts. The outflows of a transaction are numbered. */
export function publishOutflows({ outbox, outflowStops }: CustodyMessageDeps, tx: Tx, outflows: readonly FoundOutflow[]): void {
  for (const [index, { hash, marketplaceId, asset, units, ...outflow }] of outflows.entries()) {
    const sourceId = `${hash}-${index + 1}`;
    outbox.add(tx, custodyUnknownOutflowFound, {
      aggregateId: sourceId,
      aggregateVersion: 1,
      marketplaceId,
      correlationId: hash,
      payload: { ...outflow, sourceId, amount: formatUnits(units), currency: asset, stopsPayouts: outflowStops },
    });
  }
}

/** If one of our accounts has made an operation that does not say what it has moved, it counts as an outflow. */
export function publishQuarantined(deps: CustodyMessageDeps, tx: Tx, records: readonly QuarantinedRecord[]): void {
  for (const { id, reason, userIds, marketplaceId, madeBy } of records) {
    const [userId, ...others] = userIds;
    if (madeBy !== undefined)
      publishOutflows(deps, tx, [{ ...madeBy, hash: id, asset: 'USDC', units: 0n, to: null, memoHash: null }]);
    deps.outbox.add(tx, custodyRecordQuarantined, {
      aggregateId: id,
      aggregateVersion: 1,
      marketplaceId,
      correlationId: id,
      payload: { recordId: id, reason, userId: userId !== undefined && others.length === 0 ? userId : null },
    });
  }
}
