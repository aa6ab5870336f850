export { AuditPage } from './audit-page.js';
export { EventsPage } from './events-page.js';
