export { notifications } from './service.js';
