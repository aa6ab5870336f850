export * from './batcher.js';
