import type { z } from 'zod';
import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import { acknowledgersOf } from '@holdfast/contracts/sagas';
import type { BoundStatement, Tx } from '@holdfast/postgres';
import { envelopeBytesMax, repeated, toEnvelope, type EnvelopeDeps, type NewMessage, type Publishing } from '../broker/index.js';
import type { RelayLimits } from './limits.js';
import type { OutboxRow } from './publish-outbox-rows.js';
import type { Relay } from './relay.js';

/** Publishes messages within the transaction of the change that they report. See ADR 0003. */
export type Outbox = {
  /** The message is published if and only if the transaction commits. */
  readonly add: <P extends z.ZodType>(
    tx: Tx,
    declaration: MessageDeclaration<P>,
    message: NewMessage<z.input<P>>,
  ) => Envelope<z.input<P>>;
  /** Like `add`, for new messages whose envelopes exist already. Their payloads are not validated again. */
  readonly addEnvelopes: (tx: Tx, envelopes: readonly Envelope[]) => Promise<void>;
  /** Publishes messages again. */
  readonly republish: (tx: Tx, envelopes: readonly Envelope[]) => Promise<void>;
  /**
   * Issues a plain insert or update just before the commit, in one statement with the outbox row. Without messages it is issued alone.
   * One for each transaction, so that no such statement writes more than two tables.
   */
  readonly writeWithMessages: (tx: Tx, write: BoundStatement) => void;
};

export type OutboxDeps = EnvelopeDeps & { readonly relay: Pick<Relay, 'handOver' | 'limits'> };

/** The write has the first parameters. */
function insertOutboxRow(write: BoundStatement | undefined, values: readonly [messages: string, secs: number]): BoundStatement {
  const { length } = write?.values ?? [];
  const insert = `
  insert into outbox (messages, available_at)
  values ($${length + 1}, now() + make_interval(secs => $${length + 2}))
  returning id`;
  if (write === undefined) return { name: 'insert-outbox-row', text: insert, values };
  const text = `
  with written as (${write.text})${insert}`;
  return { name: `${write.name}-with-outbox-row`, text, values: [...write.values, ...values] };
}

// The arrays of services are given as text, because unnest would flatten an array of arrays.
const insertAcknowledgedRows = {
  name: 'insert-acknowledged-outbox-rows',
  text: `
  insert into outbox (messages, message_id, awaits, available_at)
  select messages, message_id, awaits::text[], now() + make_interval(secs => $4)
  from unnest($1::text[], $2::text[], $3::text[]) as given (messages, message_id, awaits)
  returning id, message_id as "messageId"`,
};

/** What a transaction publishes; all of it counts as repeated if one message is. And what it writes together with that. */
type Collected = { readonly envelopes: Envelope[]; isRepeated: boolean; write: BoundStatement | undefined };

export function createOutbox(deps: OutboxDeps): Outbox {
  const collections = new WeakMap<Tx, Collected>();

  function collectionOf(tx: Tx): Collected {
    const known = collections.get(tx);
    if (known !== undefined) return known;
    const collected: Collected = { envelopes: [], isRepeated: false, write: undefined };
    collections.set(tx, collected);
    tx.beforeCommit(() => store(deps.relay, tx, collected));
    return collected;
  }

  function collect(tx: Tx, envelopes: readonly Envelope[], { isRepeated }: Publishing): void {
    const collected = collectionOf(tx);
    collected.envelopes.push(...envelopes);
    collected.isRepeated ||= isRepeated;
  }

  return {
    add: (tx, declaration, message) => {
      const envelope = toEnvelope(deps, declaration, message);
      collect(tx, [envelope], { isRepeated: message.isRepeated === true });
      return envelope;
    },
    addEnvelopes: (tx, envelopes) => {
      collect(tx, envelopes, { isRepeated: false });
      return Promise.resolve();
    },
    republish: (tx, envelopes) => {
      collect(tx, envelopes, repeated);
      return Promise.resolve();
    },
    writeWithMessages: (tx, write) => {
      const collected = collectionOf(tx);
      if (collected.write !== undefined) throw new Error(`${collected.write.name} is written with the outbox row already.`);
      collected.write = write;
    },
  };
}

/**
 * Inserts one row for the whole transaction, and one for each message that is acknowledged. After the commit the relay of this
 * process publishes them.
 */
function store(relay: OutboxDeps['relay'], tx: Tx, { envelopes, isRepeated, write }: Collected): Promise<void> {
  const rows: NewRow[] = [];
  const together = envelopes.filter((envelope) => acknowledgersOf(envelope).length === 0);
  const acknowledged = envelopes.filter((envelope) => acknowledgersOf(envelope).length > 0);
  if (together.length > 0) storeTogether(relay.limits, tx, { envelopes: together, write }, rows);
  else if (write !== undefined) tx.defer(write);
  if (acknowledged.length > 0) storeEach(relay.limits, tx, acknowledged, rows);
  if (envelopes.length > 0) tx.afterCommit(() => relay.handOver(rows.map((row) => ({ ...row, isRepeated }))));
  return Promise.resolve();
}

type NewRow = Omit<OutboxRow, keyof Publishing>;
type InsertedRow = { readonly id: bigint };

type Together = Pick<Collected, 'envelopes' | 'write'>;

function storeTogether({ sweepAfterMs }: RelayLimits, tx: Tx, { envelopes, write }: Together, rows: NewRow[]): void {
  const insert = insertOutboxRow(write, [textOf(envelopes), sweepAfterMs / 1_000]);
  tx.defer(insert, undefined, (inserted: readonly InsertedRow[]) => {
    for (const { id } of inserted) rows.push({ id, envelopes, awaitsAcknowledgement: false });
  });
}

/** The rows are due when their messages are to be sent again, so that the first publication changes nothing in them. */
function storeEach({ resendAfterMs }: RelayLimits, tx: Tx, envelopes: readonly Envelope[], rows: NewRow[]): void {
  const byId = new Map<string, Envelope>(envelopes.map((envelope) => [envelope.id, envelope]));
  const distinct = [...byId.values()];
  const awaits = distinct.map((envelope) => `{${acknowledgersOf(envelope).join()}}`);
  const values = [distinct.map((envelope) => textOf([envelope])), [...byId.keys()], awaits, resendAfterMs / 1_000];
  tx.defer(insertAcknowledgedRows, values, (inserted: readonly (InsertedRow & { readonly messageId: string })[]) => {
    for (const { id, messageId } of inserted) {
      const envelope = byId.get(messageId);
      if (envelope !== undefined) rows.push({ id, envelopes: [envelope], awaitsAcknowledgement: true });
    }
  });
}

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
