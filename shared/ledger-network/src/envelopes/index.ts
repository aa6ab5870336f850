export { type ParsedEnvelope, parseEnvelope, withSignatures } from './envelope.js';
