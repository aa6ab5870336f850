export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './start-embedded-postgres.js';
export { readPassword, removeEmbeddedPostgres } from './data-folder.js';
export { copyCluster, type ClusterCopy } from './copy-cluster.js';
export { restoreCluster, type RestoreOptions } from './restore-cluster.js';
export { runAsAdministrator } from './run-as-administrator.js';
