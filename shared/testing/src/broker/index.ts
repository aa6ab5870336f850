export * from './broker-under-test.js';
export { describeBroker } from './describe-broker.js';
