export { acknowledgementConsumers } from './acknowledged-messages.js';
export { messagingMigrations } from './migrations.js';
export { createOutbox, type Outbox } from './outbox.js';
export type { RelayLimits } from './limits.js';
export { createRelay, type Backlog, type Relay, type RelayCounters, type RelayOptions } from './relay.js';
