export * from './follow-stream.js';
export * from './stream-parser.js';
