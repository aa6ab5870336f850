import { parseEnvelope, type ParsedEnvelope } from './envelope.js';

/** Where a decoded envelope came from: it was built to be signed, stored by an earlier run, or returned by the network. */
export const decodedFrom = ['build', 'store', 'network'] as const;
export type DecodedFrom = (typeof decodedFrom)[number];

/** Counts the envelopes that are decoded. */
export type OnDecoded = (from: DecodedFrom) => void;

/** Decodes a stored envelope when it is needed for the first time. The result throws where the envelope cannot be decoded. */
export function decodeOnce(envelopeXdr: string, networkPassphrase: string, onDecoded?: OnDecoded): () => ParsedEnvelope {
  let decoded: ParsedEnvelope | undefined;
  return () => {
    if (decoded !== undefined) return decoded;
    onDecoded?.('store');
    decoded = parseEnvelope(envelopeXdr, networkPassphrase);
    if (decoded === undefined) throw new TypeError('the stored transaction cannot be decoded');
    return decoded;
  };
}
