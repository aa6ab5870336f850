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
  const database = await testDatabase();
  const opened = testTopology.queues.map(async ({ name }) => {
    const { pool } = await database.open({ service: name, migrations: [messagingMigrations] });
    return [name, parkedMessages(pool)] as const;
  });
  const others = await database.open({ service: 'others', migrations: [messagingMigrations] });
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
