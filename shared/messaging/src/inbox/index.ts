export {
  type InboxRow,
  type RepliedRow,
  handleOnce,
  inboxColumns,
  insertHandledMessages,
  pruneInbox,
  recordIfNew,
  recordNewMessages,
} from './inbox.js';
export { type MessageConsumer, deliverTo } from './deliver.js';
export { createAcknowledger } from './acknowledger.js';
