import { describeLostMessages } from './describe-lost-messages.js';

describeLostMessages('rabbitmq');
