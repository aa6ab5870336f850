import { fileURLToPath } from 'node:url';

/** The folder with the migrations of the tables of this package, which a service with intents applies before its own. */
export const intentsMigrations: string = fileURLToPath(new URL('../migrations', import.meta.url));
