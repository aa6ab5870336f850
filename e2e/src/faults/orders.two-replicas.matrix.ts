import { describeOrders } from './describe-orders.js';

describeOrders('two replicas');
