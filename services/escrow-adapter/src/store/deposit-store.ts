import { IsNull } from 'typeorm';
import { balanceDepositReceived, depositMessageId } from '@holdfast/contracts/messages';
import { depositSaga } from '@holdfast/contracts/sagas';
import { formatUnits, type CustodyAsset } from '@holdfast/kernel/money';
import { insertMany, type Tx } from '@holdfast/postgres';
import { deposits } from './custody-schema.js';
import type { Deposit } from '../use-cases/custody/ports.js';
import type { CustodyMessageDeps } from './custody-messages.js';

export type DepositDeps = CustodyMessageDeps & {
  /** Smaller deposits are credited together, once their sum reaches it. */
  readonly minimumUnits: Readonly<Record<CustodyAsset, bigint>>;
};

const insertDeposits = insertMany({ ...deposits, name: 'insert-deposits' });

/** Locks the wallet. If two transactions store deposits, the later one then counts the deposits of the earlier one. */
const sumSmall = {
  name: 'sum-small-deposits',
  text: `
  with owner as materialized (
    select user_id
    from wallets
    where user_id = $1
    for no key update
  )
  select coalesce(sum(units), 0)::bigint as units
  from owner
  join deposits using (user_id)
  where asset = $2 and message_id is null`,
};

/** Stores proved deposits and publishes the messages that credit them. */
export async function creditDeposits(deps: DepositDeps, tx: Tx, proved: readonly Deposit[]): Promise<void> {
  if (proved.length === 0) return;
  const isSmall = ({ asset, units }: Deposit): boolean => units < deps.minimumUnits[asset];
  const rows = proved.map((deposit) => ({
    ...deposit,
    currency: deps.creditedCurrency(deposit.asset),
    messageId: isSmall(deposit) ? null : depositMessageId(deposit),
  }));
  await tx.query(insertDeposits(rows));
  for (const deposit of proved) {
    if (isSmall(deposit)) await creditWithOthers(deps, tx, deposit);
    else publish(deps, tx, deposit);
  }
}

/** The last of the small deposits stands for all of them. */
async function creditWithOthers(deps: DepositDeps, tx: Tx, last: Deposit): Promise<void> {
  const { userId, asset } = last;
  const [{ units } = { units: 0n }] = await tx.query<{ readonly units: bigint }>(sumSmall, [userId, asset]);
  if (units < deps.minimumUnits[asset]) return;
  const small = { userId, asset, messageId: IsNull() };
  await tx.manager.update(deposits.entity, small, { messageId: depositMessageId(last) });
  publish(deps, tx, { ...last, units });
}

function publish({ outbox, creditedCurrency }: DepositDeps, tx: Tx, deposit: Deposit): void {
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
