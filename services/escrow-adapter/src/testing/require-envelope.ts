import { parseEnvelope, type ParsedEnvelope } from '../transactions/envelope.js';

export function requireEnvelope(envelopeXdr: string, networkPassphrase: string): ParsedEnvelope {
  const envelope = parseEnvelope(envelopeXdr, networkPassphrase);
  if (envelope === undefined) throw new Error('this is no plain transaction');
  return envelope;
}
