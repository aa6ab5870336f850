export { orders } from './service.js';
