export { type InboxRow, type MessageReplies, handleOnce, inboxColumns, inboxOf, pruneInbox, recordIfNew } from './inbox.js';
export { type MessageConsumer, deliverTo } from './deliver.js';
export { handleInBatches } from './handle-in-batches.js';
export { createAcknowledger } from './acknowledger.js';
