export * from './saga.js';
