export * from './follow-stream.js';
