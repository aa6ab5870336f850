import { brokerMigrations } from '@holdfast/messaging/broker';
import { migrationFoldersOf, type ServiceDefinition } from '@holdfast/service-kit';
import { testDatabase, type MigratedSchema, type TestDatabase } from '../postgres/index.js';

/** A database in which these services and the in-process broker find their schemas migrated. */
export function serviceDatabase(...services: readonly ServiceDefinition[]): Promise<TestDatabase> {
  return testDatabase(...services.map(migratedSchemaOf), { service: 'broker', migrations: [brokerMigrations] });
}

function migratedSchemaOf(service: ServiceDefinition): MigratedSchema {
  return { service: service.name, migrations: migrationFoldersOf(service) };
}
