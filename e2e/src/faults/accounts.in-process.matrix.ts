import { describeAccounts } from './describe-accounts.js';

describeAccounts('in-process');
