import { runServiceProcess } from '@holdfast/service-host';
import { orders } from './service.js';

await runServiceProcess(orders);
