import { runServiceProcess } from '@holdfast/service-kit';
import { orders } from './service.js';

await runServiceProcess(orders);
