export { AuditPage } from './audit-page.js';
export { EventPage } from './event-page.js';
export { EventsPage } from './events-page.js';
export { HistoryPage } from './history-page.js';
