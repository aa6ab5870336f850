import { describeKills } from './describe-kills.js';

describeKills('two replicas');
