import { describeAccounts } from './describe-accounts.js';

describeAccounts('rabbitmq');
