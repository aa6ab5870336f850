import { runServiceProcess } from '@holdfast/shared/service-host';
import { escrowAdapter } from './service.js';

await runServiceProcess(escrowAdapter);
