export * from './purpose-keys.js';
export * from './sealing.js';
