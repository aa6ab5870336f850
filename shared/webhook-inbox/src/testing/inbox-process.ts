import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { createMetrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { collectingLog } from '@holdfast/testing/log';
import { createJobRunner } from '@holdfast/work';
import { createWebhookInbox, insertionWith, webhookMetrics, type EventOutcome, type FinalOutcome } from '../index.js';
import type { ClaimedEvent, KnownOutcome } from '../webhook-event.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);

const lookingUp = insertionWith({
  name: 'look-up',
  text: 'select $1::text as about, $2::text as result, $3::text as note',
  parameters: 3,
});

/** One process with webhooks. Its loop runs once it is started. */
export function inboxProcess(database: Database, act: (event: ClaimedEvent) => Promise<EventOutcome>) {
  const log = collectingLog();
  const metrics = createMetrics({ service: 'inbox-test', processMetrics: false });
  metrics.register(webhookMetrics);
  const runner = createJobRunner({ log, metrics });
  const wakes: number[] = [];
  const handled: string[] = [];
  const given = { act };
  const inbox = createWebhookInbox({
    ...{ database, clock, newId, metrics, log },
    unconfirmedAttemptsMax: 4,
    wake: (name, inMs = 0) => {
      wakes.push(inMs);
      runner.wake(name, inMs);
    },
    handle: (event) => {
      handled.push(event.providerEventId);
      return given.act(event);
    },
  });
  const receive = (
    providerEventId: string,
    more: { readonly isSigned?: boolean; readonly eventType?: string } = {},
    known?: FinalOutcome,
  ) =>
    inbox.receive(
      { providerEventId, eventType: 'paid', body: Buffer.from('{"paid":true}'), isSigned: true, ...more },
      { requestId: 'req', at: clock.now(), log },
      known,
    );
  const lookUp = (providerEventId: string, known: KnownOutcome, more: { readonly isSigned?: boolean } = {}) =>
    inbox.receiveAndLookUp<KnownOutcome & { readonly about: string }>(
      { providerEventId, eventType: 'paid', body: Buffer.from('{"paid":true}'), isSigned: true, ...more },
      { requestId: 'req', at: clock.now(), log },
      { statement: lookingUp, values: [providerEventId, known.result, known.note] },
    );
  const runJob = async (name: string) => inbox.jobs.find((job) => job.name === name)?.run(AbortSignal.timeout(60_000));
  return {
    ...{ inbox, receive, lookUp, log, wakes, handled, given, runJob },
    /** Makes all open events due, and makes an attempt of each. */
    retry: async () => {
      await database.pool.query('update webhook_events set next_attempt_at = now() where result is null');
      await runJob('webhook-events');
    },
    /** The loop of the process; returns what stops it. */
    start: () => {
      runner.start(inbox.jobs);
      runner.wake('webhook-events');
      return runner.stop;
    },
    counts: () => metrics.registry.metrics(),
  };
}
