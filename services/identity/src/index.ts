export { identity } from './service.js';
