import { envelopeOf, type Envelope } from '@holdfast/contracts/messages';
import type { Clock } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import type { OutgoingMessage } from '@holdfast/sagas';
import type { MemoryTx } from './memory-tables.js';

/** In the order of publishing. */
export type OutboxTables = { readonly outbox: Map<string, Envelope> };

export type MemoryOutbox = {
  /** Throws if the payload breaks the contract of the message, as the real outbox does. */
  readonly add: (tx: MemoryTx<OutboxTables>, message: OutgoingMessage) => void;
};

type OutboxOptions = {
  readonly clock: Clock;
  readonly newId: NewId;
  /** Called with each message after the commit. */
  readonly onPublished: (envelope: Envelope) => void;
};

export function memoryOutbox({ clock, newId, onPublished }: OutboxOptions): MemoryOutbox {
  return {
    add: ({ tables, afterCommit }, { declaration, payload, id = newId('evt'), occurredAt = clock.now(), ...fields }) => {
      declaration.payload.parse(payload);
      const { type, version, aggregateType } = declaration;
      const envelope = envelopeOf({ ...fields, id, type, version, occurredAt, aggregateType }, payload);
      tables.outbox.set(String(tables.outbox.size), envelope);
      afterCommit(() => onPublished(envelope));
    },
  };
}
