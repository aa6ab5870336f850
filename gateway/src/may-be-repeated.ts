import { ServiceUnreachable } from './service-unreachable.js';

/** Nothing was sent when a connection could not be opened. */
const notConnectedCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);
/** The connection ended before the response began, so that the service may have received the request or not. */
const brokenCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Whether a failed request is sent once more because it met a replica that is shutting down: the next connection reaches another one.
 * A request that changes something is repeated only if the service cannot have received it. See ADR 0061.
 */
export function mayBeRepeated(method: string, error: unknown): boolean {
  const code = error instanceof ServiceUnreachable ? codeOf(error.cause) : '';
  return notConnectedCodes.has(code) || (brokenCodes.has(code) && readMethods.has(method));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
