import { describeKills } from './describe-kills.js';

describeKills('rabbitmq');
