import { runServiceProcess } from '@holdfast/service-host';
import { notifications } from './service.js';

await runServiceProcess(notifications);
