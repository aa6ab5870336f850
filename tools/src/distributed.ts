import { fileURLToPath } from 'node:url';
import { runDistributed } from '@holdfast/all-in-one/distributed';

/** `npm run start:distributed`: every service and the gateway in its own process, on this machine. */
await runDistributed(fileURLToPath(new URL('../../dist/service.js', import.meta.url)));
