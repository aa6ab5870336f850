import { describeTimers } from './describe-timers.js';

describeTimers('two replicas');
