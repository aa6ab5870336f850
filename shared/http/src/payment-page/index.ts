export * from './payment-page.js';
