export { providePostgres, type ProvidedServer } from './provide-postgres.js';
export { testDatabase, type OpenForTest, type TestDatabase } from './test-database.js';
