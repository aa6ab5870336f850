import { runServiceProcess } from '@holdfast/service-host';
import { identity } from './service.js';

await runServiceProcess(identity);
