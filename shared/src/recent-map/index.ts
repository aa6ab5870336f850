export * from './recent-map.js';
