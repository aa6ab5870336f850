import { fileURLToPath } from 'node:url';

/** The folder whose files make the schema of the in-process driver. */
export const brokerMigrations: string = fileURLToPath(new URL('../../../migrations/broker', import.meta.url));
