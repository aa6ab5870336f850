import { describePayments } from './describe-payments.js';

describePayments('in-process');
