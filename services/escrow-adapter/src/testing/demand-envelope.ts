import { readEnvelope, type ReadEnvelope } from '../transactions/envelope.js';

export function demandEnvelope(envelopeXdr: string, networkPassphrase: string): ReadEnvelope {
  const envelope = readEnvelope(envelopeXdr, networkPassphrase);
  if (envelope === undefined) throw new Error('this is no plain transaction');
  return envelope;
}
