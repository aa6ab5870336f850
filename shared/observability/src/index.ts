export * from './log.js';
export * from './metrics.js';
export * from './tracing/index.js';
