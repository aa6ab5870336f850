import { fileURLToPath } from 'node:url';

/** The folder with the migrations of the in-process driver. */
export const brokerMigrations: string = fileURLToPath(new URL('../../../migrations/broker', import.meta.url));
