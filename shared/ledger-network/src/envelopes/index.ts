export { addressText, scAddress } from './address-text.js';
export { decodeOnce, type DecodedFrom, type OnDecoded, decodedFrom } from './decode-once.js';
export {
  type EncodedEnvelope,
  type ParsedEnvelope,
  encodedEnvelope,
  encodeEnvelope,
  parseEnvelope,
  signedBytes,
  withSignatures,
} from './envelope.js';
