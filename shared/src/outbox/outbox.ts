import type { z } from 'zod';
import { envelopeBytesMax } from '../broker/index.js';
import type { Envelope, MessageDeclaration } from '../contracts/messages/index.js';
import type { MessageId } from '../ids/index.js';
import type { Tx } from '../postgres/index.js';
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
  readonly tell: (tx: Tx, envelopes: readonly Envelope[]) => Promise<void>;
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
  const collected = new WeakMap<Tx, Collected>();

  function toldIn(tx: Tx): Collected {
    const known = collected.get(tx);
    if (known !== undefined) return known;
    const told: Collected = { envelopes: [], lastEvents: new Map() };
    collected.set(tx, told);
    tx.beforeCommit(() => store(deps.relay, tx, told.envelopes));
    return told;
  }

  return {
    add: (tx, declaration, message) => {
      const { envelopes, lastEvents } = toldIn(tx);
      const story = message.sagaRunId ?? message.correlationId;
      const after = lastEvents.get(story) ?? message.afterEventId;
      const envelope = toEnvelope(deps, declaration, message, leadsToEvents(declaration) ? after : undefined);
      if (declaration.visibility === 'public') lastEvents.set(story, envelope.id);
      envelopes.push(envelope);
      return envelope;
    },
    tell: (tx, envelopes) => {
      toldIn(tx).envelopes.push(...envelopes);
      return Promise.resolve();
    },
  };
}

/** What a transaction tells, and the last event of each story in it: sagas that do not concern each other share transactions. */
type Collected = { readonly envelopes: Envelope[]; readonly lastEvents: Map<string, MessageId> };

/** Audit facts and the like end at the event log. */
function leadsToEvents({ visibility, listeners }: MessageDeclaration): boolean {
  return visibility === 'public' || listeners.some((listener) => listener !== 'notifications');
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
  if (Buffer.byteLength(text) > envelopeBytesMax) envelopes.forEach(refuseTooLarge);
  return text;
}

/** Refused here, where the change can still be undone: no transport would ever take it. */
function refuseTooLarge(envelope: Envelope): void {
  if (Buffer.byteLength(JSON.stringify(envelope)) <= envelopeBytesMax) return;
  throw new Error(`Message ${envelope.id} (${envelope.type}) is larger than ${envelopeBytesMax} bytes.`);
}
