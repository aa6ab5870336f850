export * from './context.js';
export * from './instant.js';
