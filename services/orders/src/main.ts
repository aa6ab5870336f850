import { runServiceProcess } from '@holdfast/shared/service-host';
import { orders } from './service.js';

await runServiceProcess(orders);
