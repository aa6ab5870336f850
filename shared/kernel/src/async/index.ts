export * from './handle-all-due.js';
export * from './once-done.js';
export * from './pause.js';
export * from './retry.js';
export * from './semaphore.js';
export * from './share-calls.js';
export * from './with-timeout.js';
