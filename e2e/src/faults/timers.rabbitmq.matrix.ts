import { describeTimers } from './describe-timers.js';

describeTimers('rabbitmq');
