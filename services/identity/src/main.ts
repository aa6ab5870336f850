import { runServiceProcess } from '@holdfast/shared/service-host';
import { identity } from './service.js';

await runServiceProcess(identity);
