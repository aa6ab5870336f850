import { runServiceProcess } from '@holdfast/service-host';
import { payments } from './service.js';

await runServiceProcess(payments);
