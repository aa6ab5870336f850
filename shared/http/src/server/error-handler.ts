import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, Response } from 'express';
import { familyOfPath } from '@holdfast/contracts/http';
import type { Log } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { errorEnvelope, type PreparedResponse } from './envelopes.js';
import type { RequestLocals } from './express-app.js';
import { ClientDisconnectedError, bodyLimits } from './read-body.js';
import { send } from './send.js';

export type ErrorTranslation = (error: unknown) => AppError | undefined;

export type ErrorLogging = {
  /** Errors that are logged elsewhere, for example once per outage. Default: none. */
  readonly isLogged?: (error: unknown) => boolean;
};

type ErrorHandler = ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, RequestLocals>;

/**
 * Turns every thrown error into a response. An unexpected error is logged as `error` and sent as INTERNAL_ERROR. Expected errors
 * are not logged, except for those with a status of 500 or more and forged callers.
 */
export function errorHandler(
  log: Log,
  translate: ErrorTranslation = () => undefined,
  { isLogged = () => false }: ErrorLogging = {},
): ErrorHandler {
  // Express recognises an error handler by its four parameters.
  return (thrown: unknown, request, response, _next) => {
    if (thrown instanceof ClientDisconnectedError) return;
    const { requestId, route } = response.locals;
    const refusal = isAppError(thrown) ? thrown : translate(thrown);
    const error = refusal ?? new AppError('INTERNAL_ERROR', {}, { cause: thrown });
    const prepared = errorEnvelope(error, requestId, route ?? { family: familyOfPath(request.originalUrl) });
    const fields = { requestId, route: route?.name };
    if (refusal === undefined) log.error({ ...fields, error: thrown }, 'request failed');
    else if (isLoggedHere(refusal, prepared.status) && !isLogged(thrown))
      log.warn({ ...fields, ...causeOf(refusal) }, 'request refused');
    response.locals.errorCode = error.code;
    if (response.headersSent) response.destroy();
    else sendRefusal(request, response, prepared);
  };
}

function isLoggedHere(refusal: AppError, status: number): boolean {
  return status >= 500 || isForgery(refusal);
}

/** During an outage or a stop of the platform every request fails at the same place, so its stack is left out. */
function causeOf(refusal: AppError): { readonly error: AppError } | { readonly reason: string } {
  if (refusal.code !== 'SERVICE_UNAVAILABLE' && refusal.code !== 'PLATFORM_STOPPED') return { error: refusal };
  return { reason: refusal.cause instanceof Error ? refusal.cause.message : refusal.message };
}

const tooManyRequests = 429;

function sendRefusal(request: IncomingMessage, response: Response, prepared: PreparedResponse): void {
  const isTooMuchUnread = bytesUnread(request) > bodyLimits.drainBytesMax;
  // A client that sends too many requests loses its connection, and with it the requests that it has sent ahead.
  if (isTooMuchUnread || prepared.status === tooManyRequests) response.set('Connection', 'close');
  send(response, prepared);
}

/** Node discards the rest of a body before it reads the next request. With too much left, the connection is closed instead. */
function bytesUnread({ complete, headers }: IncomingMessage): number {
  if (complete) return 0;
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

/** A caller token that does not verify, in contrast to a missing credential. */
function isForgery({ code, cause }: AppError): boolean {
  return code === 'UNAUTHORIZED' && cause !== undefined;
}
