/** @public Loaded by jest-global-setup.cjs. */
export { providePostgres } from './provide-postgres.js';
export { startCommitProxy, type CommitFault, type CommitProxy, type CommitTarget } from './commit-proxy.js';
export type { MigratedSchema } from './migrated-template.js';
export { runAsAdmin } from './run-as-admin.js';
export { sequentialScans } from './sequential-scans.js';
export { testDatabase, type OpenForTest, type TestDatabase } from './test-database.js';
