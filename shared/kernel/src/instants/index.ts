export * from './instant.js';
