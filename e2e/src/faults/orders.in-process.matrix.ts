import { describeOrders } from './describe-orders.js';

describeOrders('in-process');
