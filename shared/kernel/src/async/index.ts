export * from './pause.js';
export * from './retry.js';
export * from './with-timeout.js';
