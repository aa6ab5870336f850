import { runServiceProcess } from '@holdfast/shared/service-host';
import { notifications } from './service.js';

await runServiceProcess(notifications);
