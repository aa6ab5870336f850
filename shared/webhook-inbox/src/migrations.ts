import { fileURLToPath } from 'node:url';

/** The folder with the migration of the table `webhook_events`, which a service with webhooks applies before its own. */
export const webhookInboxMigrations: string = fileURLToPath(new URL('../migrations', import.meta.url));
