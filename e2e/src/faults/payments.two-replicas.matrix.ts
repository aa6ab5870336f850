import { describePayments } from './describe-payments.js';

describePayments('two replicas');
