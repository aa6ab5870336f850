import { createBatcher } from '@holdfast/shared/batching';
import { AppError } from '@holdfast/shared/errors';
import type { EscrowId, MessageId } from '@holdfast/shared/ids';
import { isUnavailable, toAppError, type Database } from '@holdfast/shared/postgres';
import type { KeptEvent, ProviderEvent, ProviderEvents } from '../use-cases/ports.js';
import * as sql from './event-sql.js';

/** As long as this the process that took an event is left alone with it. */
const takenSeconds = 60;

/** Only the provider waits for an event to be kept, and it has time: those that come within a moment share a commit. */
const keepLimits = { sizeMax: 256, lingerMs: 25, waitMs: 'until full', inFlightMax: 1, waitingMax: 10_000 } as const;

type Nullable<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> | null };
type Maybe = Pick<ProviderEvent, 'orderId' | 'transactionHash' | 'milestoneRef'>;
type EventRow = Omit<ProviderEvent, keyof Maybe> & Nullable<Required<Maybe>>;
type Judgement = { readonly escrowId: EscrowId | null; readonly intentId: MessageId | null; readonly isDone: boolean };

type Pool = Database['pool'];

export function eventStore({ pool }: Pick<Database, 'pool'>): ProviderEvents {
  const keeping = createBatcher<ProviderEvent, KeptEvent | undefined>({
    run: (events) => keepOrSplit(pool, events),
    overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    ...keepLimits,
  });
  return {
    keep: keeping.submit,
    done: async ({ id }, result) => {
      await pool.query({ values: [id, result], ...sql.finishEvent });
    },
    later: async ({ id }, reason) => {
      await pool.query({ values: [id, reason], ...sql.postponeEvent });
    },
    takeDue: async (countMax) => {
      const { rows } = await pool.query<DueRow>({ values: [countMax, takenSeconds], ...sql.takeDueEvents });
      return rows.map(({ attempts, escrowId, intentId, isDone, ...event }) =>
        toKept(toEvent(event), attempts, { escrowId, intentId, isDone }),
      );
    },
    namedFor: async (orderId) => {
      const { rows } = await pool.query<{ readonly contractId: string }>({ values: [orderId], ...sql.findNamedContracts });
      return rows.map(({ contractId }) => contractId);
    },
  };
}

type Kept = PromiseSettledResult<KeptEvent | undefined>;

/** One that the database does not take fails alone: the others are tried again in ever smaller batches. */
async function keepOrSplit(pool: Pool, events: readonly ProviderEvent[]): Promise<readonly Kept[]> {
  try {
    const kept = await keep(pool, events);
    return events.map(({ id }) => ({ status: 'fulfilled', value: kept.get(id) }));
  } catch (error) {
    if (events.length === 1 || isUnavailable(error)) {
      return events.map(() => ({ status: 'rejected', reason: toAppError(error) }));
    }
  }
  const half = Math.ceil(events.length / 2);
  return [...(await keepOrSplit(pool, events.slice(0, half))), ...(await keepOrSplit(pool, events.slice(half)))];
}

/** Those that are new, by their own id. */
async function keep(pool: Pool, events: readonly ProviderEvent[]): Promise<ReadonlyMap<string, KeptEvent>> {
  const distinct = eachOnce(events);
  const { rows } = await pool.query<Judgement & { readonly id: string }>({
    values: [...columnsOf(distinct), takenSeconds],
    ...sql.keepEvents,
  });
  const judged = new Map(rows.map(({ id, ...judgement }) => [id, judgement]));
  return new Map(
    distinct.flatMap((event) => {
      const judgement = judged.get(event.id);
      return judgement === undefined ? [] : [[event.id, toKept(event, 0, judgement)]];
    }),
  );
}

/** Where the same event came several times the first one counts, but for one that is proved. */
function eachOnce(events: readonly ProviderEvent[]): readonly ProviderEvent[] {
  const distinct = new Map<string, ProviderEvent>();
  for (const event of events) {
    const known = distinct.get(event.eventId);
    if (known === undefined || (event.isSigned && !known.isSigned)) distinct.set(event.eventId, event);
  }
  return [...distinct.values()];
}

function columnsOf(events: readonly ProviderEvent[]): readonly unknown[] {
  return [
    events.map(({ eventId }) => eventId),
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ contractId }) => contractId),
    events.map(({ orderId }) => orderId ?? null),
    events.map(({ transactionHash }) => transactionHash ?? null),
    events.map(({ milestoneRef }) => milestoneRef ?? null),
    events.map(({ isSigned }) => isSigned),
    events.map(({ receivedAt }) => receivedAt),
  ];
}

type DueRow = EventRow & Judgement & { readonly attempts: number };

function toKept(event: ProviderEvent, attempts: number, { escrowId, intentId, isDone }: Judgement): KeptEvent {
  if (isDone || escrowId === null) return { event, attempts, isDone: true, intentId: intentId ?? undefined };
  return { event, attempts, isDone: false, escrowId };
}

function toEvent({ orderId, transactionHash, milestoneRef, ...row }: EventRow): ProviderEvent {
  return {
    ...row,
    ...(orderId === null ? {} : { orderId }),
    ...(transactionHash === null ? {} : { transactionHash }),
    ...(milestoneRef === null ? {} : { milestoneRef }),
  };
}
