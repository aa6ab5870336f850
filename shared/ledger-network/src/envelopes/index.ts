export { addressText, scAddress } from './address-text.js';
export { decodeOnce, type DecodedFrom, type OnDecoded, decodedFrom } from './decode-once.js';
export { type ParsedEnvelope, encodeEnvelope, parseEnvelope, withSignatures } from './envelope.js';
