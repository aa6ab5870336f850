import { runServiceProcess } from '@holdfast/shared/service-host';
import { ledgerBalance } from './service.js';

await runServiceProcess(ledgerBalance);
