export * from './carrier.js';
export { SilenceError } from './http-connections.js';
export type * from './http-connections.js';
