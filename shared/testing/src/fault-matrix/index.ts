export { isFullMatrix } from './is-full-matrix.js';
