import type { Database } from '@holdfast/shared/postgres';
import type { ProviderEvent, ProviderEvents } from '../use-cases/ports.js';
import * as sql from './sql.js';

/** As long as this the process that took an event is left alone with it. */
const takenSeconds = 60;

type Nullable<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> | null };
type Maybe = Pick<ProviderEvent, 'orderId' | 'transactionHash' | 'milestoneRef'>;
type EventRow = Omit<ProviderEvent, keyof Maybe> & Nullable<Required<Maybe>> & { readonly attempts: number };

export function eventStore({ pool }: Pick<Database, 'pool'>): ProviderEvents {
  return {
    insert: async (event) => {
      const { eventId, id, type, contractId, orderId = null, transactionHash = null, milestoneRef = null } = event;
      const known = [eventId, id, type, contractId, orderId, transactionHash, milestoneRef, event.isSigned, event.receivedAt];
      const { rowCount } = await pool.query({ ...sql.insertEvent, values: [...known, takenSeconds] });
      return rowCount === 1;
    },
    done: async ({ eventId }, result) => {
      await pool.query({ ...sql.finishEvent, values: [eventId, result] });
    },
    later: async ({ eventId }, reason) => {
      await pool.query({ ...sql.postponeEvent, values: [eventId, reason] });
    },
    takeDue: async (countMax) => {
      const { rows } = await pool.query<EventRow>({ ...sql.takeDueEvents, values: [countMax, takenSeconds] });
      return rows.map(toEvent);
    },
    namedFor: async (orderId) => {
      const { rows } = await pool.query<{ readonly contractId: string }>({ ...sql.findNamedContracts, values: [orderId] });
      return rows.map(({ contractId }) => contractId);
    },
  };
}

function toEvent({ orderId, transactionHash, milestoneRef, ...row }: EventRow) {
  return {
    ...row,
    ...(orderId === null ? {} : { orderId }),
    ...(transactionHash === null ? {} : { transactionHash }),
    ...(milestoneRef === null ? {} : { milestoneRef }),
  };
}
