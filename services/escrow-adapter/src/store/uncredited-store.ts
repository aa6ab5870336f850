import type { balanceDepositReceived, Envelope, Payload } from '@holdfast/contracts/messages';
import type { CustodyAsset } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { UncreditedStore } from '../use-cases/custody/ports.js';
import type { Holding } from '../use-cases/treasury/ports.js';

/** A deposit is credited once ledger-balance has acknowledged its message, which leaves the outbox then. */
const findUncredited = {
  name: 'find-uncredited-deposits',
  text: `
  select asset, messages
  from (
    select distinct on (outbox.message_id) deposits.asset, outbox.messages, deposits.landed_at, deposits.operation_id
    from deposits
    join outbox on outbox.message_id = deposits.message_id
    where deposits.user_id = $1
    order by outbox.message_id
  ) as uncredited
  order by landed_at, length(operation_id), operation_id`,
};

const findHoldings = {
  name: 'find-sweepable-holdings',
  text: `
  with uncredited as (
    select user_id, asset, units
    from deposits
    where user_id = any($1) and message_id is null
    union all
    select deposits.user_id, deposits.asset, deposits.units
    from outbox
    join deposits on deposits.message_id = outbox.message_id
    where deposits.user_id = any($1)
  )
  select user_id as "userId",
    asset,
    units,
    coalesce(
      (
        select sum(uncredited.units)
        from uncredited
        where uncredited.user_id = wallet_holdings.user_id and uncredited.asset = wallet_holdings.asset
      ),
      0
    )::bigint as "uncreditedUnits"
  from wallet_holdings
  where user_id = any($1)`,
};

const sumCredited = {
  name: 'sum-credited-deposits',
  text: `
  select currency,
    coalesce(sum(units) filter (where message_id is not null), 0)::bigint as units,
    coalesce(
      sum(units) filter (where exists (select from outbox where outbox.message_id = deposits.message_id)),
      0
    )::bigint as "unacknowledgedUnits",
    coalesce(sum(units) filter (where message_id is null), 0)::bigint as "waitingUnits"
  from deposits
  group by currency`,
};

type UncreditedRow = { readonly asset: CustodyAsset; readonly messages: string };

export function uncreditedStore({ lists }: Pick<Database, 'lists'>): UncreditedStore {
  return {
    uncreditedOf: async (userId) => {
      const { rows } = await lists.query<UncreditedRow>(findUncredited, [userId]);
      return rows.flatMap(({ asset, messages }) =>
        (JSON.parse(messages) as readonly Envelope<Payload<typeof balanceDepositReceived>>[]).map(
          ({ payload: { amount, currency, operationId }, correlationId: transactionHash }) => ({
            asset,
            amount,
            currency,
            operationId,
            transactionHash,
          }),
        ),
      );
    },
    totals: async () => (await lists.query<Awaited<ReturnType<UncreditedStore['totals']>>[number]>(sumCredited)).rows,
    holdingsOf: async (userIds) => (await lists.query<Holding>(findHoldings, [userIds])).rows,
  };
}
