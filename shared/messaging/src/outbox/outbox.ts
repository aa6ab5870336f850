import type { z } from 'zod';
import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import type { Tx } from '@holdfast/postgres';
import { envelopeBytesMax } from '../broker/index.js';
import { toEnvelope, type EnvelopeDeps, type NewMessage } from './envelopes.js';
import type { Relay } from './relay.js';

/** Publishes messages within the transaction of the change that they report. */
export type Outbox = {
  /** The message is published if and only if the transaction commits. */
  readonly add: <P extends z.ZodType>(
    tx: Tx,
    declaration: MessageDeclaration<P>,
    message: NewMessage<z.input<P>>,
  ) => Envelope<z.input<P>>;
  /** Like `add`, for envelopes that exist already. Their payloads are not validated again. */
  readonly addEnvelopes: (tx: Tx, envelopes: readonly Envelope[]) => Promise<void>;
};

export type OutboxDeps = EnvelopeDeps & { readonly relay: Pick<Relay, 'handOver' | 'limits'> };

const insertOutboxRow = {
  name: 'insert-outbox-row',
  text: `
  insert into outbox (messages, available_at)
  values ($1, now() + make_interval(secs => $2))
  returning id`,
};

export function createOutbox(deps: OutboxDeps): Outbox {
  const collected = new WeakMap<Tx, Envelope[]>();

  function collect(tx: Tx, envelopes: readonly Envelope[]): void {
    const known = collected.get(tx);
    if (known !== undefined) {
      known.push(...envelopes);
      return;
    }
    const all = [...envelopes];
    collected.set(tx, all);
    tx.beforeCommit(() => store(deps.relay, tx, all));
  }

  return {
    add: (tx, declaration, message) => {
      const envelope = toEnvelope(deps, declaration, message);
      collect(tx, [envelope]);
      return envelope;
    },
    addEnvelopes: (tx, envelopes) => {
      collect(tx, envelopes);
      return Promise.resolve();
    },
  };
}

/** Inserts one row for the whole transaction. After the commit the relay of this process publishes it. */
function store(relay: OutboxDeps['relay'], tx: Tx, envelopes: readonly Envelope[]): Promise<void> {
  if (envelopes.length === 0) return Promise.resolve();
  const values = [textOf(envelopes), relay.limits.sweepAfterMs / 1_000];
  tx.defer(insertOutboxRow, values, (rows: readonly InsertedRow[]) => {
    for (const { id } of rows) tx.afterCommit(() => relay.handOver(id, envelopes));
  });
  return Promise.resolve();
}

type InsertedRow = { readonly id: bigint };

/** Serializes all envelopes at once, which is faster than one by one. Their sizes are checked only if the whole text is too large. */
function textOf(envelopes: readonly Envelope[]): string {
  const text = JSON.stringify(envelopes);
  if (Buffer.byteLength(text) > envelopeBytesMax) envelopes.forEach(assertSize);
  return text;
}

/** A message that no broker accepts must fail here, where the transaction can still be rolled back. */
function assertSize(envelope: Envelope): void {
  if (Buffer.byteLength(JSON.stringify(envelope)) <= envelopeBytesMax) return;
  throw new Error(`Message ${envelope.id} (${envelope.type}) is larger than ${envelopeBytesMax} bytes.`);
}
