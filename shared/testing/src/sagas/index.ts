export { sagaOf } from './saga-of.js';
