export * from './envelopes.js';
export * from './handle.js';
export * from './http-server.js';
export * from './listener.js';
export * from './read-body.js';
export * from './request-id.js';
export * from './route-table.js';
