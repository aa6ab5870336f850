export * from './http-client.js';
export * from './http-status-error.js';
