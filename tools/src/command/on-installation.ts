import { openInstallation, readCommandSettings, type CommandSettings, type Installation } from '@holdfast/all-in-one/commands';
import type { ServiceName } from '@holdfast/contracts/services';
import { processEnvironment } from '@holdfast/process/config';
import type { Log } from '@holdfast/kernel/context';
import { connectDatabase, type Database, type OpenDatabaseOptions } from '@holdfast/postgres';

/** Opens the installation that the settings name, runs `work`, and closes it in any case. */
export async function onInstallation<Result>(
  work: (installation: Installation, settings: CommandSettings) => Promise<Result>,
  print: (line: string) => void = (line) => console.log(line),
): Promise<Result> {
  const settings = readCommandSettings(processEnvironment());
  const installation = await openInstallation(settings, (fact) => print(`… ${fact}`));
  try {
    return await work(installation, settings);
  } finally {
    await installation.close();
  }
}

/** `broker`: the schema with the queues of an installation without RabbitMQ. */
export type Place = {
  readonly service: ServiceName | 'broker';
  /** Needed where the work uses TypeORM. */
  readonly entities?: NonNullable<OpenDatabaseOptions['entities']>;
  readonly log: Log;
};

/** Opens the database of one service with the service's role and one connection. */
export async function onDatabase<Result>(
  { databaseUrl, internalSecret }: Installation,
  { service, entities = [], log }: Place,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const access = { adminUrl: databaseUrl, service, internalSecret, poolMax: 1, listPoolMax: 1 };
  const database = await connectDatabase({ ...access, entities, log });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
