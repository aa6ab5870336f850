export { createHttpClient } from './http-client.js';
export type * from './http-client.js';
export * from './http-status-error.js';
