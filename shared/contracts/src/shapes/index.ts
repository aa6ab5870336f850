export { faultOfMetadata, metadata, metadataMax, unstorable, type Metadata } from './metadata.js';
export * from './bodies.js';
export * from './shapes.js';
export { toSnakeCase } from './snake-case.js';
