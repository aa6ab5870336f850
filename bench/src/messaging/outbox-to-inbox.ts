import { connectRabbitmq } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import { balanceCredited } from '@holdfast/contracts/messages';
import { idFactory } from '@holdfast/kernel/ids';
import { createOutbox, createRelay, messagingMigrations } from '@holdfast/messaging/outbox';
import { deliverTo } from '@holdfast/messaging/inbox';
import { openDatabase, type Database } from '@holdfast/postgres';
import { parkedMessages } from '@holdfast/messaging/parked';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import { envelopeOf } from './envelopes.js';
import { createEffects, effectsMigrations, type ConsumeMode } from './effects.js';
import type { OnConsumed, Pipeline } from './pipeline.js';

export type Shape = {
  /** Names its schemas and its queues. */
  readonly key: string;
  readonly name: string;
  readonly senders: number;
  /** Messages per transaction. */
  readonly messagesPerSend: number;
  readonly consumeMode: ConsumeMode;
};

type Servers = { readonly postgresUrl: string; readonly amqpUrl: string; readonly prefetch: number };

const poolMax = 10;
const secret = 'bench-only-internal-secret-0123456789';
const clock = systemClock();
const queue = 'hearer';

/** From a commit with messages in it to the commit of their effect: outbox, relay, RabbitMQ, contract, inbox, effect. */
export async function openOutboxToInbox(servers: Servers, shape: Shape, onConsumed: OnConsumed): Promise<Pipeline> {
  const publisher = await openService(servers.postgresUrl, `${shape.key}-teller`);
  const consumer = await openService(servers.postgresUrl, `${shape.key}-hearer`, [effectsMigrations]);
  const broker = await connectRabbitmq({
    url: servers.amqpUrl,
    topology: { queues: [{ name: queue, types: [balanceCredited.type] }] },
    namespace: `bench.${shape.key}`,
    log: silentLog,
  });
  const relay = createRelay({ database: publisher, broker, log: silentLog });
  const sweeper = runJobs(relay.job);
  const outbox = createOutbox({ relay, clock, newId: idFactory(clock.epochMs) });
  const parked = parkedMessages(consumer.pool);
  const effects = createEffects(consumer, shape.consumeMode, onConsumed);
  const deliver = deliverTo([{ declaration: balanceCredited, run: effects.take }], { service: queue, clock, log: silentLog });
  await broker.consume(queue, { prefetch: servers.prefetch, parked }, deliver);
  const { name, senders, messagesPerSend } = shape;
  return {
    name,
    senders,
    messagesPerSend,
    send: (ids) =>
      publisher.inTransaction((tx) =>
        outbox.addEnvelopes(
          tx,
          ids.map((id) => envelopeOf(id, clock)),
        ),
      ),
    audit: async (sent) => {
      await effects.audit(sent);
      const [message] = await parked.list(1);
      if (message !== undefined) throw new Error(`a message was parked: ${message.reason}`);
    },
    close: async () => {
      await sweeper.stop();
      await relay.stop();
      await broker.close();
      await Promise.all([publisher.close(), consumer.close()]);
    },
  };
}

function openService(adminUrl: string, service: string, own: readonly string[] = []): Promise<Database> {
  const migrations = [messagingMigrations, ...own];
  return openDatabase({ adminUrl, service, internalSecret: secret, migrations, poolMax, log: silentLog });
}
