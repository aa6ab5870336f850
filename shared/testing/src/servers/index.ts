export { freePort } from '@holdfast/dev-servers/network';
export { serverStartTimeoutMs, testServerUrl, type TestServer } from './test-server-url.js';
