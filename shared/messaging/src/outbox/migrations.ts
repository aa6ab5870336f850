import { fileURLToPath } from 'node:url';

/** The folder with the messaging migrations, which every service applies before its own. */
export const messagingMigrations: string = fileURLToPath(new URL('../../migrations/messaging', import.meta.url));
