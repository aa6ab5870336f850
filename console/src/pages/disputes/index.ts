export { DisputePage } from './dispute-page.js';
export { DisputesPage } from './disputes-page.js';
