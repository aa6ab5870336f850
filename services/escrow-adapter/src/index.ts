export { escrowAdapter } from './service.js';
