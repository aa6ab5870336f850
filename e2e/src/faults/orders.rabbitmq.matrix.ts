import { describeOrders } from './describe-orders.js';

describeOrders('rabbitmq');
