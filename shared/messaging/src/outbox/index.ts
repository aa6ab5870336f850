export { acknowledgementConsumers } from './acknowledged-messages.js';
export { createAcknowledger, type Acknowledger } from './acknowledger.js';
export { deliverTo, type DeliveryDeps, type MessageConsumer } from './deliver.js';
export { handleInBatches, type BatchHandlerOptions } from './handle-in-batches.js';
export {
  handleOnce,
  inboxColumns,
  inboxOf,
  recordIfNew,
  pruneInbox,
  type Inbox,
  type InboxRow,
  type MessageReplies,
} from './inbox.js';
export { messagingMigrations } from './migrations.js';
export type { NewMessage } from './envelopes.js';
export { createOutbox, type Outbox } from './outbox.js';
export type { RelayLimits } from './limits.js';
export { createRelay, type Backlog, type Relay, type RelayCounters, type RelayOptions } from './relay.js';
