import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, Response } from 'express';
import type { Log } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { errorEnvelope, type PreparedResponse } from './envelopes.js';
import type { RequestLocals } from './express-app.js';
import { ClientDisconnectedError, bodyLimits } from './read-body.js';
import { send } from './send.js';

export type ErrorTranslation = (error: unknown) => AppError | undefined;

type ErrorHandler = ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, RequestLocals>;

/**
 * The one place where whatever was thrown becomes a response. What nobody expected is a bug: logged in full, told in one
 * sentence. Refusals are ordinary, except for those that an operator should know the cause of.
 */
export function errorHandler(log: Log, translate: ErrorTranslation = () => undefined): ErrorHandler {
  // Express tells an error handler by its four parameters.
  return (thrown: unknown, request, response, _next) => {
    if (thrown instanceof ClientDisconnectedError) return;
    const { requestId, route } = response.locals;
    const refusal = isAppError(thrown) ? thrown : translate(thrown);
    const error = refusal ?? new AppError('INTERNAL_ERROR', {}, { cause: thrown });
    const prepared = errorEnvelope(error, requestId, route?.family);
    const fields = { requestId, route: route?.name, error: thrown };
    if (refusal === undefined) log.error(fields, 'request failed');
    else if (prepared.status >= 500 || isForgery(refusal)) log.warn(fields, 'request refused');
    response.locals.errorCode = error.code;
    if (response.headersSent) response.destroy();
    else sendRefusal(request, response, prepared);
  };
}

function sendRefusal(request: IncomingMessage, response: Response, prepared: PreparedResponse): void {
  if (bytesUnread(request) > bodyLimits.drainBytesMax) response.set('Connection', 'close');
  send(response, prepared);
}

/** Node discards what is left of a body before it reads the next request. More than the limit is not waited for. */
function bytesUnread({ complete, headers }: IncomingMessage): number {
  if (complete) return 0;
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

/** Strangers without a credential are no news at the public listener; a signed caller that does not verify is. */
function isForgery({ code, cause }: AppError): boolean {
  return code === 'UNAUTHORIZED' && cause !== undefined;
}
