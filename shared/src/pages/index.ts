export * from './keyset.js';
export * from './pages.js';
