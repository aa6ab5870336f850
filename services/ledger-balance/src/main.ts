import { runServiceProcess } from '@holdfast/service-host';
import { ledgerBalance } from './service.js';

await runServiceProcess(ledgerBalance);
