export { freePort } from '@holdfast/dev-servers/network';
export { serverStartTimeoutMs, testServerFacts, testServerUrl, type TestServer } from './test-server-url.js';
