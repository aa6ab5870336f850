import { fileURLToPath } from 'node:url';

/** The folder with the migration of the table `idempotent_requests`, for services that perform them. */
export const idempotentRequestsMigrations: string = fileURLToPath(
  new URL('../../migrations/idempotent-requests', import.meta.url),
);
