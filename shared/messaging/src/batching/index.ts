export * from './batcher.js';
export * from './commit-batcher.js';
