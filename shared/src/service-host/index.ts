export * from './consumers.js';
export * from './service-definition.js';
