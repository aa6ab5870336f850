export * from './known-users.js';
