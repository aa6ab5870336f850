import { runServiceProcess } from '@holdfast/service-kit';
import { payments } from './service.js';

await runServiceProcess(payments);
