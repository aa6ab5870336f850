export * from './retry.js';
export * from './with-timeout.js';
