export { textTable } from './text-table.js';
