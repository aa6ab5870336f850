export * from './create-lifecycle.js';
export * from './lifecycle.js';
export * from './run-until-signal.js';
