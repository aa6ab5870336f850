export { openApiDocument } from './document.js';
export { errorExample, exampleUsers } from './error-examples.js';
export { describeEvent, type DescribedEvent } from './event-schema.js';
export { exampleOf } from './example.js';
export { describeShape, referredName, type DescribedSchema, type JsonSchema } from './schema.js';
export type { OpenApiDocument, Operation } from './types.js';
