export { type InboxRow, type MessageReplies, handleOnce, inboxColumns, inboxOf, pruneInbox, recordIfNew } from './inbox.js';
export { type MessageConsumer, deliverTo } from './deliver.js';
export { createAcknowledger } from './acknowledger.js';
