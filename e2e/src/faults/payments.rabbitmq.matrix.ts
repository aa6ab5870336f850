import { describePayments } from './describe-payments.js';

describePayments('rabbitmq');
