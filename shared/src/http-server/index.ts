export * from './handle.js';
