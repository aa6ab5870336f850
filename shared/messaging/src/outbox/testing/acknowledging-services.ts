import { randomBytes } from 'node:crypto';
import { connect } from 'amqplib';
import { allMessages, type MessageDeclaration } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { createMetrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { createQueueConsumer, on, serviceMetrics } from '@holdfast/service-kit';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { testRabbitmqUrl } from '@holdfast/testing/rabbitmq';
import { brokerMigrations, connectRabbitmq, namesOf, openInProcessBroker, topologyOf, type Broker } from '../../broker/index.js';
import { parkedMessages, type ParkedMessages } from '../../parked/index.js';
import { acknowledgementConsumers, createOutbox, createRelay, messagingMigrations, type Outbox } from '../index.js';
import { handleOnce } from '../../inbox/index.js';

/** A service with one handler, which inserts a row for each message. */
export type AcknowledgingService = {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly parked: ParkedMessages;
  /** The messages that had an effect. */
  readonly effects: () => Promise<readonly string[]>;
  /** The services that have not acknowledged a message, by message. */
  readonly awaited: () => Promise<readonly (readonly string[])[]>;
  readonly startConsuming: () => Promise<void>;
};

/** Loses or repeats what is published and sent. */
export type Faults = {
  /** How often the next messages are lost. */
  messagesToLose: number;
  acknowledgementsToLose: number;
  /** How often each is published. */
  copies: number;
  /** Why the handlers refuse messages. */
  refusal: Error | undefined;
};

export type Services = {
  readonly faults: Faults;
  readonly open: (name: ServiceName, consumed: readonly MessageDeclaration[]) => Promise<AcknowledgingService>;
  /** Deletes what waits in the queue of a service. */
  readonly purge: (queue: ServiceName) => Promise<void>;
  readonly close: () => Promise<void>;
};

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const limits = { sweepEveryMs: 20, resendAfterMs: 300, resendAfterMsMax: 600 };
const retryDelaysMs = [50];
const services: readonly ServiceName[] = ['identity', 'escrow-adapter', 'ledger-balance', 'orders', 'payments'];

export async function openServices(server: TestDatabase, driver: 'in-process' | 'rabbitmq'): Promise<Services> {
  const faults: Faults = { messagesToLose: 0, acknowledgementsToLose: 0, copies: 1, refusal: undefined };
  const { purge, ...opened } = await openDriver(server, driver);
  const broker = withFaults(opened.broker, faults);
  const stopping: (() => Promise<void>)[] = [];
  return {
    faults,
    purge,
    open: async (name, consumed) => {
      const effects = server.migrations({ '0001-effects.sql': 'create table effects (message_id text not null);' });
      const database = await server.open({ service: name, migrations: [messagingMigrations, effects] });
      const relay = createRelay({ database, broker, log: silentLog, limits });
      stopping.push(runJobs(relay.job).stop, relay.stop);
      const consumers = [
        ...consumed.map((each) => on(each, writeEffect(database, faults))),
        ...acknowledgementConsumers(name, database),
      ];
      const metrics = createMetrics({ service: name, processMetrics: false });
      metrics.register(serviceMetrics(name));
      const { signal } = new AbortController();
      const consumer = createQueueConsumer({
        service: name,
        consumers,
        broker,
        database,
        clock,
        log: silentLog,
        metrics,
        signal,
      });
      return {
        database,
        parked: parkedMessages(database.pool),
        outbox: createOutbox({ relay, clock, newId }),
        effects: async () =>
          (await database.pool.query<{ message_id: string }>('select message_id from effects order by 1')).rows.map(
            (row) => row.message_id,
          ),
        awaited: async () =>
          (await database.pool.query<{ awaits: string[] }>('select awaits from outbox order by id')).rows.map(
            (row) => row.awaits,
          ),
        startConsuming: async () => {
          await consumer.start();
          stopping.unshift(consumer.stop);
        },
      };
    },
    close: async () => {
      for (const stop of stopping) await stop();
      await broker.close();
    },
  };
}

function writeEffect(database: Database, faults: Faults) {
  return handleOnce<unknown>({ database, consumer: 'effects' }, async (tx, { id }) => {
    if (faults.refusal !== undefined) throw faults.refusal;
    await tx.query('insert into effects (message_id) values ($1)', [id]);
  });
}

type Driver = Pick<Services, 'purge'> & { readonly broker: Broker };

async function openDriver(server: TestDatabase, driver: 'in-process' | 'rabbitmq'): Promise<Driver> {
  const common = { topology: topologyOf(allMessages, services), log: silentLog, retryDelaysMs };
  if (driver === 'rabbitmq') {
    const [url, namespace] = [await testRabbitmqUrl(), `ack-${randomBytes(4).toString('hex')}`];
    return {
      broker: await connectRabbitmq({ ...common, url, namespace }),
      purge: async (queue) => {
        const connection = await connect(url);
        const channel = await connection.createChannel();
        await channel.purgeQueue(namesOf(namespace).queue(queue));
        await connection.close();
      },
    };
  }
  const { pool } = await server.open({ service: 'broker', migrations: [brokerMigrations] });
  return {
    broker: await openInProcessBroker({ ...common, pool }),
    purge: async (queue) => {
      await pool.query('delete from deliveries where queue = $1', [queue]);
    },
  };
}

/** What is lost was confirmed to the publisher, as if the broker had lost its disk. */
function withFaults(broker: Broker, faults: Faults): Broker {
  return {
    ...broker,
    publish: async (envelopes, publishing) => {
      const kept = envelopes.filter(() => faults.messagesToLose-- <= 0);
      for (let copy = 0; copy < faults.copies; copy += 1) await broker.publish(kept, publishing);
    },
    redeliver: async (queue, messages, publishing) => {
      const kept = messages.filter(() => faults.acknowledgementsToLose-- <= 0);
      for (let copy = 0; copy < faults.copies; copy += 1) await broker.redeliver(queue, kept, publishing);
    },
  };
}
