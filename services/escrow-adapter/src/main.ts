import { runServiceProcess } from '@holdfast/service-kit';
import { escrowAdapter } from './service.js';

await runServiceProcess(escrowAdapter);
