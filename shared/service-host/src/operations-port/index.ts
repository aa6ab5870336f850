export * from './operations-port.js';
