export { freePort } from './free-port.js';
export { serverStartTimeoutMs, testServerUrl, type TestServer } from './test-server-url.js';
