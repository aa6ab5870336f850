import type { AttemptError } from '../use-cases/webhooks/ports.js';

/** Ends an attempt with an outcome for its log. */
export class AttemptFailed extends Error {
  readonly outcome: AttemptError;

  constructor(outcome: AttemptError, options?: ErrorOptions) {
    super(`the attempt has failed: ${outcome}`, options);
    this.outcome = outcome;
  }
}

/** The failure of a connection that was not established. Names and addresses were judged before. */
export function connectFailure(error: Error, protocol: string): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return new AttemptFailed('TIMEOUT', { cause: error });
  const isTls = protocol === 'https:' && !isOfNetwork(error, code);
  return new AttemptFailed(isTls ? 'TLS' : 'CONNECT', { cause: error });
}

/** The failure of a request on an established connection. */
export function requestFailure(error: unknown): AttemptFailed {
  if (error instanceof AttemptFailed) return error;
  const code = codeOf(error);
  // With TLS 1.3 a server refuses a client without a certificate after the handshake.
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return new AttemptFailed('TLS', { cause: error });
  return new AttemptFailed(isOfNetwork(error, code) ? 'CONNECT' : 'RESPONSE', { cause: error });
}

/** Whether the operating system reported it. EPROTO is a fault of TLS that Node reports like one. */
function isOfNetwork(error: unknown, code: string): boolean {
  return code === 'ECONNRESET' || (error instanceof Error && 'syscall' in error && code !== 'EPROTO');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
