import type { RawBody } from '@holdfast/contracts/shapes';
import { createMetrics } from '@holdfast/observability';
import { createPaymentWebhooks, createSignatureVerifier, payments, readPaymentEvent } from '@holdfast/payments';
import type { Database } from '@holdfast/postgres';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { silentLog } from '@holdfast/testing/log';
import { openBench, type Bench } from '../ledger/bench.js';
import { webhookSecret } from './signed-webhooks.js';

/** Receives webhooks into its own database. */
export type Receiver = {
  readonly receive: (webhook: RawBody) => Promise<unknown>;
  /** How many events are stored; throws if one of them is not finished. */
  readonly audit: () => Promise<number>;
};

export type Receivers = {
  readonly platform: Receiver;
  readonly statements: Receiver;
  readonly close: () => Promise<void>;
};

type Urls = { readonly platform: string; readonly statements: string };

/** The platform's receiver, and beside it its statements alone. Applying an event costs nothing on either side. */
export async function openReceivers(urls: Urls): Promise<Receivers> {
  const [ours, plain] = [openBench(urls.platform), openBench(urls.statements)];
  return {
    platform: openPlatform(ours, await openTables(ours)),
    statements: openStatements(plain, await openTables(plain)),
    close: async () => {
      await ours.lifecycle.stop('the benchmark is over');
      await plain.lifecycle.stop('the benchmark is over');
    },
  };
}

function openTables({ open }: Bench): Promise<Database> {
  return open(payments.name, { migrations: migrationFoldersOf(payments), entities: [] });
}

function openPlatform({ clock, newId }: Bench, database: Database): Receiver {
  const metrics = createMetrics({ service: payments.name, processMetrics: false });
  const config = { PAYMENT_WEBHOOK_SECRET: webhookSecret };
  const apply = () => Promise.resolve('unchanged' as const);
  const runtime = { config, database, clock, metrics, newId, log: silentLog, wake: () => undefined };
  const { receive } = createPaymentWebhooks(runtime, { readEvent: readPaymentEvent, applyPayin: apply, applyPayout: apply });
  return {
    receive: (webhook) => receive(webhook, { requestId: 'bench', at: clock.now(), log: silentLog }, () => undefined),
    audit: () => auditOf(database),
  };
}

const insertEvent = {
  name: 'bench-insert-event',
  text: `
  insert into webhook_events (id, provider_event_id, event_type, body, is_signed, received_at, attempts, next_attempt_at)
  values ($1, $2, $3, $4, true, $5, 1, now() + interval '1 minute')
  on conflict (provider_event_id) do nothing
  returning id`,
};

const finishEvent = {
  name: 'bench-finish-event',
  text: `
  update webhook_events
  set handled_at = now(),
    result = 'applied',
    next_attempt_at = null
  where id = $1`,
};

/** The same verification and the same two statements, each for one event in its own commit. */
function openStatements({ clock, newId }: Bench, database: Database): Receiver {
  const { pool } = database;
  const { verify } = createSignatureVerifier(webhookSecret, silentLog);
  return {
    receive: async (webhook) => {
      const { messageId } = verify(webhook);
      const { eventId, type } = readPaymentEvent(webhook.bytes);
      const id = newId('whe');
      const values = [id, eventId ?? messageId, type, Buffer.from(webhook.bytes), clock.now()];
      const { rows } = await pool.query(insertEvent, values);
      if (rows.length > 0) await pool.query(finishEvent, [id]);
    },
    audit: () => auditOf(database),
  };
}

type Counts = { readonly stored: number; readonly open: number };

async function auditOf({ pool }: Database): Promise<number> {
  const sql = `
    select count(*)::int as stored,
      count(*) filter (where result is distinct from 'applied')::int as open
    from webhook_events`;
  const [counts] = (await pool.query<Counts>(sql)).rows;
  if (counts?.open !== 0) throw new Error(`events are not finished: ${JSON.stringify(counts)}`);
  return counts.stored;
}
