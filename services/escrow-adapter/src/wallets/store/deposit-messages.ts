import {
  balanceDepositReceived,
  custodyRecordQuarantined,
  custodyUnknownDepositFound,
  depositMessageId,
} from '@holdfast/contracts/messages';
import { depositSaga } from '@holdfast/contracts/sagas';
import { formatUnits } from '@holdfast/kernel/money';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Tx } from '@holdfast/postgres';
import type { CreditedCurrency } from '../custody/credited-currency.js';
import type { WatchedTransaction } from '../custody/findings.js';
import type { Deposit } from '../custody/legs.js';
import type { QuarantinedRecord } from '../custody/quarantine.js';

export type DepositMessageDeps = { readonly outbox: Outbox; readonly creditedCurrency: CreditedCurrency };

export function publishDeposits({ outbox, creditedCurrency }: DepositMessageDeps, tx: Tx, deposits: readonly Deposit[]): void {
  for (const deposit of deposits) {
    const { userId, marketplaceId, operationId, transactionHash, asset, units } = deposit;
    outbox.add(tx, balanceDepositReceived, {
      id: depositMessageId(deposit),
      aggregateId: userId,
      aggregatePart: `deposit ${operationId}`,
      aggregateVersion: 1,
      marketplaceId,
      correlationId: transactionHash,
      saga: depositSaga.name,
      payload: { userId, amount: formatUnits(units), currency: creditedCurrency(asset), operationId },
    });
  }
}

export function publishUnknownDeposits(
  { outbox, creditedCurrency }: DepositMessageDeps,
  tx: Tx,
  { hash, unknownDeposits }: Pick<WatchedTransaction, 'hash' | 'unknownDeposits'>,
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

export function publishQuarantined({ outbox }: DepositMessageDeps, tx: Tx, records: readonly QuarantinedRecord[]): void {
  for (const { id, reason, userIds, marketplaceId } of records) {
    const [userId, ...others] = userIds;
    outbox.add(tx, custodyRecordQuarantined, {
      aggregateId: id,
      aggregateVersion: 1,
      marketplaceId,
      correlationId: id,
      payload: { recordId: id, reason, userId: userId !== undefined && others.length === 0 ? userId : null },
    });
  }
}
