import { parseEnvelope, type ParsedEnvelope } from '../envelopes/index.js';

export function requireEnvelope(envelopeXdr: string, networkPassphrase: string): ParsedEnvelope {
  const envelope = parseEnvelope(envelopeXdr, networkPassphrase);
  if (envelope === undefined) throw new Error('this is not a plain transaction');
  return envelope;
}
