export { serverStartTimeoutMs, testServerUrl, type TestServer } from './test-server-url.js';
