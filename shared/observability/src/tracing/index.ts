export * from './spans.js';
export * from './start-tracing.js';
export * from './traceparent.js';
export type * from './tracing.js';
