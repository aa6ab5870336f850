export * from './context.js';
export * from '../instants/index.js';
