import type { z } from 'zod';
import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import { acknowledgersOf } from '@holdfast/contracts/sagas';
import type { BoundStatement, Tx } from '@holdfast/postgres';
import { envelopeBytesMax, toEnvelope, type EnvelopeDeps, type NewMessage } from '../broker/index.js';
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
  /** Like `add`, for envelopes that exist already. Their payloads are not validated again. */
  readonly addEnvelopes: (tx: Tx, envelopes: readonly Envelope[]) => Promise<void>;
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

type Collected = { readonly envelopes: Envelope[]; write: BoundStatement | undefined };

export function createOutbox(deps: OutboxDeps): Outbox {
  const collected = new WeakMap<Tx, Collected>();

  function collectedIn(tx: Tx): Collected {
    const known = collected.get(tx);
    if (known !== undefined) return known;
    const all: Collected = { envelopes: [], write: undefined };
    collected.set(tx, all);
    tx.beforeCommit(() => store(deps.relay, tx, all));
    return all;
  }

  return {
    add: (tx, declaration, message) => {
      const envelope = toEnvelope(deps, declaration, message);
      collectedIn(tx).envelopes.push(envelope);
      return envelope;
    },
    addEnvelopes: (tx, envelopes) => {
      collectedIn(tx).envelopes.push(...envelopes);
      return Promise.resolve();
    },
    writeWithMessages: (tx, write) => {
      const all = collectedIn(tx);
      if (all.write !== undefined) throw new Error(`${all.write.name} is written with the outbox row already.`);
      all.write = write;
    },
  };
}

/**
 * Inserts one row for the whole transaction, and one for each message that is acknowledged. After the commit the relay of this
 * process publishes them.
 */
function store(relay: OutboxDeps['relay'], tx: Tx, { envelopes, write }: Collected): Promise<void> {
  const rows: OutboxRow[] = [];
  const together = envelopes.filter((envelope) => acknowledgersOf(envelope).length === 0);
  const acknowledged = envelopes.filter((envelope) => acknowledgersOf(envelope).length > 0);
  if (together.length > 0) storeTogether(relay.limits, tx, { envelopes: together, write }, rows);
  else if (write !== undefined) tx.defer(write);
  if (acknowledged.length > 0) storeEach(relay.limits, tx, acknowledged, rows);
  if (envelopes.length > 0) tx.afterCommit(() => relay.handOver(rows));
  return Promise.resolve();
}

type InsertedRow = { readonly id: bigint };

function storeTogether({ sweepAfterMs }: RelayLimits, tx: Tx, { envelopes, write }: Collected, rows: OutboxRow[]): void {
  const insert = insertOutboxRow(write, [textOf(envelopes), sweepAfterMs / 1_000]);
  tx.defer(insert, undefined, (inserted: readonly InsertedRow[]) => {
    for (const { id } of inserted) rows.push({ id, envelopes, awaitsAcknowledgement: false });
  });
}

/** The rows are due when their messages are to be sent again, so that the first publication changes nothing in them. */
function storeEach({ resendAfterMs }: RelayLimits, tx: Tx, envelopes: readonly Envelope[], rows: OutboxRow[]): void {
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
