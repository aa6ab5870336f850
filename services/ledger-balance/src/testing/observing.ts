import { brokerMigrations, openInProcessBroker, topologyOf, type Broker } from '@holdfast/shared/broker';
import type { Clock } from '@holdfast/shared/context';
import { allMessages, type Envelope } from '@holdfast/shared/contracts/messages';
import { eventually } from '@holdfast/shared/testing/eventually';
import { silentLog } from '@holdfast/shared/testing/log';
import type { TestDatabase } from '@holdfast/shared/testing/postgres';

const service = 'ledger-balance';
/** A queue of the tests' own: what the ledger tells services that do not exist yet arrives here. */
const observer = 'observer';
const shortLadderMs = [20, 50, 100, 200];

export async function openObservedBroker(database: TestDatabase, clock: Clock): Promise<Broker> {
  const { pool } = await database.open({ service: 'broker', migrations: [brokerMigrations] });
  const { queues } = topologyOf(allMessages, [service]);
  const told = allMessages.filter(({ publisher }) => publisher === service).map(({ type }) => type);
  const topology = { queues: [...queues, { name: observer, types: told }] };
  return openInProcessBroker({ pool, topology, log: silentLog, clock, ladderMs: shortLadderMs });
}

export type Observed = {
  /** The payload of the first answer of this type that is about this order, top-up or withdrawal. */
  readonly reply: (type: string, subjectId: string) => Promise<unknown>;
  readonly repliesTo: (subjectId: string) => readonly Envelope[];
  /** The public events about a user's balance, once there are this many, in the order of their versions. */
  readonly eventsOf: (userId: string, count: number) => Promise<readonly Envelope[]>;
};

export async function observe(broker: Broker): Promise<Observed> {
  const heard: Envelope[] = [];
  await broker.consume(observer, { prefetch: 100 }, ({ envelope }) => {
    heard.push(envelope);
    return Promise.resolve();
  });
  return {
    reply: (type, subjectId) =>
      eventually(() => {
        const reply = repliesTo(heard, subjectId).find((candidate) => candidate.type === type);
        if (reply === undefined) throw new Error(`no ${type} about ${subjectId} yet`);
        return reply.payload;
      }),
    repliesTo: (subjectId) => repliesTo(heard, subjectId),
    eventsOf: (userId, count) =>
      eventually(() => {
        const events = publicEvents(heard, userId);
        if (events.length < count) throw new Error(`${events.length} of ${count} events so far`);
        return events;
      }),
  };
}

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

function publicEvents(heard: readonly Envelope[], userId: string): readonly Envelope[] {
  return heard
    .filter(({ type, aggregateId }) => publicTypes.has(type) && aggregateId === userId)
    .sort((a, b) => a.aggregateVersion - b.aggregateVersion);
}

function repliesTo(heard: readonly Envelope[], subjectId: string): readonly Envelope[] {
  return heard.filter(({ type, payload }) => !publicTypes.has(type) && Object.values(payload as object).includes(subjectId));
}
