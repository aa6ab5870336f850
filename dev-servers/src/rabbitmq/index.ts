export { findRabbitmq, type RabbitmqInstallation } from './find-rabbitmq.js';
export { installRabbitmq } from './install-rabbitmq.js';
export { startPrivateRabbitmq, type PrivateRabbitmq, type PrivateRabbitmqOptions } from './start-private-rabbitmq.js';
