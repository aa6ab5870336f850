import { verifyEnvelope, type Mismatch } from '@holdfast/ledger-network/expectations';
import { expectationOf, limits, type SigningCase } from './parties.js';
import { toXdr, type Envelope } from './provider-envelopes.js';

/** The mismatch of an envelope that must be refused. */
export function refusalOf(signingCase: SigningCase, envelope: Envelope | string): Mismatch {
  const envelopeXdr = typeof envelope === 'string' ? envelope : toXdr(envelope);
  const verification = verifyEnvelope(envelopeXdr, expectationOf(signingCase), limits);
  if (verification.status === 'refused') return verification.mismatch;
  throw new Error('the envelope was verified');
}
