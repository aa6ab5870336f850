import { describeAccounts } from './describe-accounts.js';

describeAccounts('two replicas');
