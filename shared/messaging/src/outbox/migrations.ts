import { fileURLToPath } from 'node:url';

/** The folder whose files every service applies before its own. */
export const messagingMigrations: string = fileURLToPath(new URL('../../migrations/messaging', import.meta.url));
