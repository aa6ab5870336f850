export * from './duration.js';
export * from './instant.js';
