export * from './consumers.js';
export * from './queue-consumer.js';
export * from './health-probes.js';
export * from './jobs.js';
export * from './messaging-metrics.js';
export * from './run-service-process.js';
export * from './service-definition.js';
export * from './start-service.js';
