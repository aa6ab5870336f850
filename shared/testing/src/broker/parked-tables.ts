import { messagingMigrations } from '@holdfast/messaging/outbox';
import { parkedMessages, type ParkedMessages } from '@holdfast/messaging/parked';
import { testDatabase } from '../postgres/index.js';
import { testTopology } from './broker-under-test.js';

/** The parked messages of each queue of the test topology, in its own schema. */
export type ParkedTables = {
  readonly of: (queue: string) => ParkedMessages;
  readonly clear: () => Promise<void>;
  readonly drop: () => Promise<void>;
};

export async function openParkedTables(): Promise<ParkedTables> {
  const queues = testTopology.queues.map(({ name }) => ({ service: name, migrations: [messagingMigrations] }));
  const schemaOfOthers = { service: 'others', migrations: [messagingMigrations] };
  const database = await testDatabase(...queues, schemaOfOthers);
  const opened = queues.map(async (schema) => [schema.service, parkedMessages((await database.open(schema)).pool)] as const);
  const others = await database.open(schemaOfOthers);
  const tables = new Map(await Promise.all(opened));
  const clear = async (): Promise<void> => {
    await database.takeParked();
  };
  return {
    of: (queue) => tables.get(queue) ?? parkedMessages(others.pool),
    clear,
    drop: async () => {
      await clear();
      await database.drop();
    },
  };
}
