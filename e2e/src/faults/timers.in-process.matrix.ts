import { describeTimers } from './describe-timers.js';

describeTimers('in-process');
