import { runServiceProcess } from '@holdfast/service-kit';
import { notifications } from './service.js';

await runServiceProcess(notifications);
