export { asyncApiDocument } from './document.js';
export type { AsyncApiDocument } from './types.js';
