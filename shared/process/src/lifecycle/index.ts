export * from './create-lifecycle.js';
export * from './lifecycle.js';
export * from './on-stop-signal.js';
export * from './print-last.js';
export * from './run-until-signal.js';
export { traceProcess } from './trace-process.js';
