import { fileURLToPath } from 'node:url';

/** The folder with the migration of the table `operations`, for services that perform operations. */
export const operationsMigrations: string = fileURLToPath(new URL('../../migrations/operations', import.meta.url));
