export * from './breaker.js';
