import { runServiceProcess } from '@holdfast/service-host';
import { escrowAdapter } from './service.js';

await runServiceProcess(escrowAdapter);
