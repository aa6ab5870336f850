import type { z } from 'zod';
import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import type { Tx } from '@holdfast/postgres';
import { envelopeBytesMax } from '../broker/index.js';
import { toEnvelope, type EnvelopeDeps, type NewMessage } from './envelopes.js';
import type { Relay } from './relay.js';

/** How a service tells others: within the transaction that changes what it tells of. */
export type Outbox = {
  /** Told if and only if the transaction commits. */
  readonly add: <P extends z.ZodType>(
    tx: Tx,
    declaration: MessageDeclaration<P>,
    message: NewMessage<z.input<P>>,
  ) => Envelope<z.input<P>>;
  /** The same for envelopes that were made elsewhere and are known to keep their contracts. */
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

/** One row for the whole transaction. The process that commits it publishes it at once; see the relay for when it cannot. */
function store(relay: OutboxDeps['relay'], tx: Tx, envelopes: readonly Envelope[]): Promise<void> {
  if (envelopes.length === 0) return Promise.resolve();
  const values = [textOf(envelopes), relay.limits.sweepAfterMs / 1_000];
  tx.defer(insertOutboxRow, values, (rows: readonly InsertedRow[]) => {
    for (const { id } of rows) tx.afterCommit(() => relay.handOver(id, envelopes));
  });
  return Promise.resolve();
}

type InsertedRow = { readonly id: bigint };

/** All at once, which is quicker than one by one. Where they are small together, none of them is too large. */
function textOf(envelopes: readonly Envelope[]): string {
  const text = JSON.stringify(envelopes);
  if (Buffer.byteLength(text) > envelopeBytesMax) envelopes.forEach(assertSize);
  return text;
}

/** Refused here, where the change can still be undone: no transport would ever take it. */
function assertSize(envelope: Envelope): void {
  if (Buffer.byteLength(JSON.stringify(envelope)) <= envelopeBytesMax) return;
  throw new Error(`Message ${envelope.id} (${envelope.type}) is larger than ${envelopeBytesMax} bytes.`);
}
