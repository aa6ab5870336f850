export * from './provider-metrics.js';
