import { IsNull, MoreThan, Not } from 'typeorm';
import type { TopupId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import type { Booking, Deps, PaymentRef } from '../use-cases/ports.js';
import { cases, topups, withdrawals } from './schema.js';

/** Items are given as `[{ providerId, code }]`. */
const bookedPayins = {
  name: 'find-booked-payins',
  text: `
  select item."providerId",
    topup.id as "relatedId",
    topup.user_id as "userId",
    topup.marketplace_id as "marketplaceId",
    (coalesce(topup.credited, 0) + coalesce(cases.units, 0))::bigint as "bookedUnits",
    coalesce(topup.is_in_flight, false) or coalesce(cases.is_in_flight, false) as "isInFlight"
  from jsonb_to_recordset($1) as item ("providerId" text, code text)
  left join lateral (
    select id,
      user_id,
      marketplace_id,
      case
        when status = 'TOPUP_SUCCEEDED' and provider_payin_id is not distinct from item."providerId" then amount_units
      end as credited,
      active_run is not null or unconfirmed_since is not null as is_in_flight
    from topups
    where id = item.code
      or provider_payin_id = item."providerId"
    order by provider_payin_id = item."providerId" desc nulls last
    limit 1
  ) as topup on true
  left join lateral (
    select sum(amount_units) as units, bool_or(booked_at is null) as is_in_flight
    from reconciliation_cases
    where source_id = item."providerId"
      and origin = 'payins'
  ) as cases on true`,
};

/** What a case returned counts as paid out; a payout that completed too late is in a case with a negative amount. */
const bookedPayouts = {
  name: 'find-booked-payouts',
  text: `
  select item."providerId",
    coalesce(withdrawal.id, returned.id) as "relatedId",
    coalesce(withdrawal.user_id, returned.user_id) as "userId",
    coalesce(withdrawal.marketplace_id, returned.marketplace_id) as "marketplaceId",
    (coalesce(withdrawal.paid, 0) + coalesce(returned.paid, 0) - coalesce(cases.units, 0))::bigint as "bookedUnits",
    coalesce(withdrawal.is_in_flight, false) or coalesce(returned.is_in_flight, false) or coalesce(cases.is_in_flight, false)
      as "isInFlight"
  from jsonb_to_recordset($1) as item ("providerId" text, code text)
  left join lateral (
    select id,
      user_id,
      marketplace_id,
      case
        when status = 'WITHDRAWAL_COMPLETED' and provider_payout_id is not distinct from item."providerId" then amount_units
      end as paid,
      active_run is not null as is_in_flight
    from withdrawals
    where (id = item.code or provider_payout_id = item."providerId")
      and destination_type <> 'ledger'
    order by provider_payout_id = item."providerId" desc nulls last
    limit 1
  ) as withdrawal on true
  left join lateral (
    select id,
      user_id,
      marketplace_id,
      case when provider_payout_id = item."providerId" then amount_units end as paid,
      active_run is not null as is_in_flight
    from reconciliation_cases
    where id = split_part(item.code, '-', 1)
  ) as returned on true
  left join lateral (
    select sum(amount_units) as units, bool_or(booked_at is null) as is_in_flight
    from reconciliation_cases
    where source_id = item."providerId"
      and origin = 'payouts'
  ) as cases on true`,
};

const order = { id: 'asc' } as const;

/** What this service knows of the payments in the provider's statement. */
export function bookingStore({ lists }: Pick<Database, 'lists'>): Deps['bookings'] {
  return {
    ofPayins: async (items) => (await lists.query<Booking>(bookedPayins, [toJson(items)])).rows,
    ofPayouts: async (items) => (await lists.query<Booking>(bookedPayouts, [toJson(items)])).rows,
    succeededTopups: async (after, take) => {
      const where = { id: MoreThan(after as TopupId), status: 'TOPUP_SUCCEEDED' } as const;
      const found = await lists.manager.find(topups.entity, { select: { id: true, providerPayinId: true }, where, order, take });
      return found.map(({ id, providerPayinId: providerId }) => ({ id, providerId }));
    },
    completedWithdrawals: async (after, take) => {
      const destinationType = Not('ledger' as const);
      const where = { id: MoreThan(after as WithdrawalId), status: 'WITHDRAWAL_COMPLETED', destinationType } as const;
      const found = await lists.manager.find(withdrawals.entity, {
        select: { id: true, providerPayoutId: true },
        where,
        order,
        take,
      });
      return found.map(({ id, providerPayoutId: providerId }) => ({ id, providerId }));
    },
    hasActiveCases: () => lists.manager.existsBy(cases.entity, { activeRun: Not(IsNull()) }),
  };
}

function toJson(items: readonly PaymentRef[]): string {
  return JSON.stringify(items.map(({ providerId, code }) => ({ providerId, code })));
}
