export * from './declare-metric.js';
export * from './log.js';
export * from './merged-metrics.js';
export * from './metrics.js';
export * from './tracing/index.js';
