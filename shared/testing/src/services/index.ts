export { serviceTestClient, type TestResponse, type TestCaller, type ServiceTestClient } from './service-test-client.js';
export { ignoringOthers } from './ignoring-others.js';
export { openObservedBroker, type ObservedBroker } from './observed-broker.js';
export { startStubService } from './stub-service.js';
export { serviceDatabase } from './service-database.js';
export { testProcess } from './test-process.js';
