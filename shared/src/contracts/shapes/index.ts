export * from './shapes.js';
