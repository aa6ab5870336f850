import { summary, summaryDaysMax, type SummaryView } from '@holdfast/contracts/http';
import { orderStatuses, type OrderStatus } from '@holdfast/contracts/messages';
import { toEpochMs, toInstant, type Context, type Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { formatUnits, type Currency } from '@holdfast/kernel/money';
import type { CountedNumbers, SummaryCounter, SummaryReader } from './ports.js';

export type GetSummary = { readonly from?: Instant | undefined; readonly to?: Instant | undefined };

const dayMs = 86_400_000;
const daysDefault = 30;

/** The volume covers whole days in UTC: from the day of `from` to the day of `to`, which is left out if `to` is its midnight. */
export async function getSummary(reader: SummaryReader, given: GetSummary, { caller, at }: Context): Promise<SummaryView> {
  const period = periodOf(given, at);
  const [fromDay, untilDay] = [period.from.slice(0, 10), period.to.slice(0, 10)];
  const numbers = await reader.read(caller.marketplaceId, { fromDay, untilDay });
  return { ...viewOf(numbers), ...period, asOf: numbers.uncountedSince ?? at };
}

function periodOf({ from, to }: GetSummary, at: Instant): { readonly from: Instant; readonly to: Instant } {
  const endMs = Math.ceil(toEpochMs(to ?? at) / dayMs) * dayMs;
  const startMs = from === undefined ? endMs - daysDefault * dayMs : Math.floor(toEpochMs(from) / dayMs) * dayMs;
  if (startMs >= endMs) refuse('from must be before to');
  if (endMs - startMs > summaryDaysMax * dayMs) refuse(`from must be at most ${summaryDaysMax} days before to`);
  return { from: toInstant(startMs), to: toInstant(endMs) };
}

function refuse(fault: string): never {
  throw new AppError('VALIDATION_ERROR', { validationErrors: [fault] });
}

function viewOf({ counts, failingEndpoints, countedSince }: CountedNumbers): Omit<SummaryView, 'from' | 'to' | 'asOf'> {
  const valueOf = (counter: SummaryCounter, label: string, currency = ''): bigint =>
    counts.find((count) => count.counter === counter && count.label === label && count.currency === currency)?.value ?? 0n;
  const amounts = (counter: SummaryCounter) =>
    counts.flatMap(({ counter: found, currency, value }) =>
      found === counter && currency !== '' ? [{ currency, amount: formatUnits(value) }] : [],
    );
  const ofStatus = (status: OrderStatus): number => Number(valueOf('orders', status));
  return {
    orders: summary.shape.orders.parse(Object.fromEntries(orderStatuses.map((status) => [status, ofStatus(status)]))),
    volume: volumeOf(counts, valueOf),
    escrow: amounts('escrow'),
    available: amounts('available'),
    reserved: amounts('reserved'),
    disputes: { open: Number(valueOf('disputes', 'open')), overdue: Number(valueOf('disputes', 'overdue')) },
    failingEndpoints,
    countedSince,
  };
}

type ValueOf = (counter: SummaryCounter, label: string, currency: Currency) => bigint;

function volumeOf(counts: CountedNumbers['counts'], valueOf: ValueOf): SummaryView['volume'] {
  return counts.flatMap(({ counter, label: date, currency, value }) =>
    counter === 'volume' && currency !== ''
      ? [{ date, currency, orders: Number(valueOf('created', date, currency)), amount: formatUnits(value) }]
      : [],
  );
}
