import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** Derives the password of a role from the secret of the installation, so that no password has to be stored. */
export function derivePassword(internalSecret: string, role: string): string {
  return createHmac('sha256', internalSecret).update(`postgres-role:${role}`).digest('hex');
}

const scramIterations = 4_096;
const scramSaltBytes = 16;

/** The SCRAM verifier that Postgres stores (RFC 5803). Sent instead of the password, so that no server log contains it. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(scramSaltBytes);
  const salted = pbkdf2Sync(password, salt, scramIterations, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
