import type { Summary } from '@holdfast/sdk';
import { formatAmount } from '../../data/format-amount.js';
import { formatDay } from '../../data/format-time.js';

/** A number of the overview, and where the records behind it are. */
export type Figure = {
  readonly label: string;
  /** One line per currency. */
  readonly values: readonly string[];
  readonly path: string;
  /** An operator should look. */
  readonly isAlarming?: boolean;
  readonly remark?: string;
};

/** Where older events had left the history before the platform began to count, the sums are changes and no totals. */
export function moneyFigures({ escrow, available, reserved, countedSince }: Summary): readonly Figure[] {
  const incomplete = countedSince === null ? {} : { remark: `change since ${formatDay(countedSince)}` };
  return [
    { label: 'In escrow', values: amountsOf(escrow), path: '/orders?status=IN_PROGRESS', ...incomplete },
    { label: 'Available to users', values: amountsOf(available), path: '/users', ...incomplete },
    { label: 'Reserved', values: amountsOf(reserved), path: '/orders?status=FUNDS_RESERVED', ...incomplete },
  ];
}

export function attentionFigures({ disputes, failingEndpoints }: Summary): readonly Figure[] {
  const overdue = disputes.overdue === 0 ? {} : { remark: `${disputes.overdue} overdue`, isAlarming: true };
  return [
    { label: 'Open disputes', values: [String(disputes.open)], path: '/disputes', ...overdue },
    {
      label: 'Failing webhook endpoints',
      values: [String(failingEndpoints)],
      path: '/developers',
      isAlarming: failingEndpoints > 0,
    },
  ];
}

function amountsOf(amounts: Summary['escrow']): readonly string[] {
  return amounts.length === 0 ? ['0.00'] : amounts.map(({ amount, currency }) => `${formatAmount(amount)} ${currency}`);
}

export type VolumeSeries = {
  readonly currency: string;
  /** Midnights in UTC, in seconds. */
  readonly days: readonly number[];
  /** For the height of a bar only: amounts are texts everywhere else. */
  readonly amounts: readonly number[];
  readonly orders: readonly number[];
};

const daySeconds = 86_400;

/** The volume of each currency, with a value for every day of the period: days without orders are zero. */
export function volumeOf({ volume, from, to }: Pick<Summary, 'volume' | 'from' | 'to'>): readonly VolumeSeries[] {
  const days = daysBetween(Date.parse(from) / 1_000, Date.parse(to) / 1_000);
  const currencies = [...new Set(volume.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = new Map(volume.filter((row) => row.currency === currency).map((row) => [Date.parse(row.date) / 1_000, row]));
    return {
      currency,
      days,
      amounts: days.map((day) => Number(own.get(day)?.amount ?? 0)),
      orders: days.map((day) => own.get(day)?.orders ?? 0),
    };
  });
}

function daysBetween(from: number, to: number): readonly number[] {
  const count = Math.max(0, Math.round((to - from) / daySeconds));
  return Array.from({ length: count }, (_none, day) => from + day * daySeconds);
}
