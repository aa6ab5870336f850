export * from './broker-under-test.js';
export { describeBroker } from './describe-broker.js';
export { openParkedTables, type ParkedTables } from './parked-tables.js';
export { testBroker, type TestBroker } from './test-broker.js';
