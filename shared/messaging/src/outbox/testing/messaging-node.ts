import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { openDatabase, type Database } from '@holdfast/postgres';
import { on } from '@holdfast/service-kit';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import {
  brokerMigrations,
  connectRabbitmq,
  openInProcessBroker,
  type Broker,
  type Delivery,
  type NewMessage,
  type Topology,
} from '../../broker/index.js';
import { parkedMessages, redriveParked, type ParkedMessages } from '../../parked/index.js';
import { createOutbox, createRelay, messagingMigrations, type Relay } from '../index.js';
import { deliverTo, handleOnce } from '../../inbox/index.js';
import { aNotice, noticePosted, type Notice } from './notices.js';

export type NodeOptions = {
  readonly adminUrl: string;
  readonly internalSecret: string;
  readonly effectMigrations: string;
  readonly driver:
    { readonly kind: 'rabbitmq'; readonly url: string; readonly namespace: string } | { readonly kind: 'in-process' };
};

/** Where the process of a kill test crashes. */
export const crashPoints = [
  'after commit, before publish',
  'after publish, before delete',
  'after handling, before ack',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** A minimal service: it publishes notices and inserts one row for each notice that it consumes. */
export type MessagingNode = {
  readonly database: Database;
  readonly broker: Broker;
  readonly parked: ParkedMessages;
  readonly relay: Relay;
  readonly sweep: () => void;
  readonly publish: (text: string, overrides?: Partial<NewMessage<Notice>>) => Promise<void>;
  /** For each delivery, `onHandled` is called after the effect and before the ack, `onReceived` before the effect. */
  readonly consume: (onHandled: (delivery: Delivery) => void, onReceived?: (delivery: Delivery) => void) => Promise<void>;
  readonly redriveParked: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

const service = 'kill-test';
const queue = 'kill-test';
const topology: Topology = { queues: [{ name: queue, types: [noticePosted.type] }] };

export async function openNode(
  options: NodeOptions,
  wrapBroker: (broker: Broker) => Broker = (broker) => broker,
): Promise<MessagingNode> {
  const clock = systemClock();
  const database = await open(options, service, [messagingMigrations, options.effectMigrations]);
  const closing: (() => Promise<void>)[] = [() => database.close()];
  const broker = wrapBroker(await openBroker(options, closing));
  const limits = { sweepAfterMs: 300, sweepEveryMs: 50 };
  const relay = createRelay({ database, broker, log: silentLog, limits });
  const outbox = createOutbox({ relay, clock, newId: idFactory(clock.epochMs) });
  const write = on(
    noticePosted,
    handleOnce({ database, consumer: service }, async (tx, { payload }) => {
      await tx.query('insert into effects (text) values ($1)', [payload.text]);
    }),
  );
  const parked = parkedMessages(database.pool);
  const deliver = deliverTo([write], { service, clock, log: silentLog });
  return {
    database,
    broker,
    parked,
    relay,
    sweep: () => {
      closing.push(runJobs(relay.job).stop);
    },
    publish: async (text, overrides) => {
      await database.inTransaction(async (tx) => outbox.add(tx, noticePosted, aNotice(text, overrides)));
    },
    redriveParked: () => redriveParked({ parked, broker, queue }),
    consume: async (onHandled, onReceived) => {
      await broker.consume(queue, { prefetch: 10, parked }, async (delivery) => {
        onReceived?.(delivery);
        await deliver(delivery);
        onHandled(delivery);
      });
    },
    stop: async () => {
      await relay.stop();
      await broker.close();
      for (const close of closing.reverse()) await close();
    },
  };
}

function open({ adminUrl, internalSecret }: NodeOptions, name: string, migrations: readonly string[]): Promise<Database> {
  return openDatabase({ adminUrl, service: name, internalSecret, migrations, poolMax: 5, log: silentLog });
}

async function openBroker(options: NodeOptions, closing: (() => Promise<void>)[]): Promise<Broker> {
  const common = { topology, log: silentLog };
  if (options.driver.kind === 'rabbitmq')
    return connectRabbitmq({ ...common, url: options.driver.url, namespace: options.driver.namespace });
  const database = await open(options, 'kill-test-broker', [brokerMigrations]);
  closing.push(() => database.close());
  return openInProcessBroker({ ...common, pool: database.pool });
}

/** The argument of `crash-node.ts`. */
export type CrashInstruction = NodeOptions & { readonly crashPoint: CrashPoint; readonly text: string };
