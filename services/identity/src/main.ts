import { runServiceProcess } from '@holdfast/service-kit';
import { identity } from './service.js';

await runServiceProcess(identity);
