export * from './broker.js';
export { parkedReasonOf } from './failure-action.js';
export { connectRabbitmq, type RabbitmqOptions } from './rabbitmq/connect-rabbitmq.js';
export { defaultNamespace, namesOf } from './rabbitmq/names.js';
export { openInProcessBroker, type InProcessOptions } from './in-process/open-in-process-broker.js';
export { brokerMigrations } from './in-process/migrations.js';
export { topologyOf } from './topology.js';
export { envelopeBytesMax, hasOnlyUnknownFields } from './envelope.js';
export { type EnvelopeDeps, type NewMessage, toEnvelope } from './to-envelope.js';
