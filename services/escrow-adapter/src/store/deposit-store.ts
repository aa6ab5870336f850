import { balanceDepositReceived, depositMessageId } from '@holdfast/contracts/messages';
import { depositSaga } from '@holdfast/contracts/sagas';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, MessageId, UserId } from '@holdfast/kernel/ids';
import { formatUnits, type Currency, type CustodyAsset } from '@holdfast/kernel/money';
import { columnsOf, insertMany, type Tx } from '@holdfast/postgres';
import type { Deposit } from '../use-cases/custody/ports.js';
import type { CustodyMessageDeps } from './custody-messages.js';

export type DepositDeps = CustodyMessageDeps & {
  /** Smaller deposits are credited together, once their sum reaches it. */
  readonly minimumUnits: Readonly<Record<CustodyAsset, bigint>>;
};

type DepositRow = {
  readonly operationId: string;
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly asset: CustodyAsset;
  readonly units: bigint;
  readonly currency: Currency;
  readonly transactionHash: string;
  readonly landedAt: Instant;
  readonly messageId: MessageId | null;
};

const depositColumns = columnsOf<DepositRow>()({
  operationId: { column: 'operation_id', type: 'text', isPrimary: true },
  userId: { column: 'user_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  asset: { column: 'asset', type: 'text' },
  units: { column: 'units', type: 'bigint' },
  currency: { column: 'currency', type: 'text' },
  transactionHash: { column: 'transaction_hash', type: 'text' },
  landedAt: { column: 'landed_at', type: 'timestamptz' },
  messageId: { column: 'message_id', type: 'text' },
});

const insertDeposits = insertMany({
  name: 'insert-deposits',
  table: 'deposits',
  columns: depositColumns,
});

/** Locks the wallet, so that of two transactions the later one counts the deposits of the earlier one. */
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

const creditSmall = {
  name: 'credit-small-deposits',
  text: `
  update deposits
  set message_id = $3
  where user_id = $1 and asset = $2 and message_id is null`,
};

/** Stores proved deposits and publishes the messages that credit them. */
export async function creditDeposits(deps: DepositDeps, tx: Tx, deposits: readonly Deposit[]): Promise<void> {
  if (deposits.length === 0) return;
  const isSmall = ({ asset, units }: Deposit): boolean => units < deps.minimumUnits[asset];
  const rows = deposits.map((deposit) => ({
    ...deposit,
    currency: deps.creditedCurrency(deposit.asset),
    messageId: isSmall(deposit) ? null : depositMessageId(deposit),
  }));
  await tx.query(insertDeposits(rows));
  for (const deposit of deposits) {
    if (isSmall(deposit)) await creditWithOthers(deps, tx, deposit);
    else publish(deps, tx, deposit);
  }
}

/** The last of the small deposits stands for all of them. */
async function creditWithOthers(deps: DepositDeps, tx: Tx, last: Deposit): Promise<void> {
  const { userId, asset } = last;
  const [{ units } = { units: 0n }] = await tx.query<{ readonly units: bigint }>(sumSmall, [userId, asset]);
  if (units < deps.minimumUnits[asset]) return;
  await tx.query(creditSmall, [userId, asset, depositMessageId(last)]);
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
