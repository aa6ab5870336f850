import { runServiceProcess } from '@holdfast/service-kit';
import { ledgerBalance } from './service.js';

await runServiceProcess(ledgerBalance);
