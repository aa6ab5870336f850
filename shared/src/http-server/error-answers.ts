import type { Log } from '../context/index.js';
import type { RouteDeclaration } from '../contracts/http/index.js';
import { AppError, isAppError } from '../errors/index.js';
import { errorEnvelope, type Answer } from './envelopes.js';

type Failed = { readonly requestId: string; readonly route: RouteDeclaration | undefined };

export type ErrorTranslation = (error: unknown) => AppError | undefined;

/**
 * The one place where whatever was thrown becomes an answer. What nobody expected is a bug: logged in full, told in one
 * sentence. Refusals are ordinary, except for those that an operator should know the cause of.
 */
export function errorAnswers(log: Log, translate: ErrorTranslation): (thrown: unknown, failed: Failed) => Answer {
  return (thrown, { requestId, route }) => {
    const refusal = isAppError(thrown) ? thrown : translate(thrown);
    const error = refusal ?? new AppError('INTERNAL_ERROR', {}, { cause: thrown });
    const answer = errorEnvelope(error, requestId, route?.family);
    if (refusal === undefined) log.error({ requestId, route: route?.name, error: thrown }, 'request failed');
    else if (answer.status >= 500 || isForgery(refusal))
      log.warn({ requestId, route: route?.name, error: thrown }, 'request was turned away');
    return answer;
  };
}

/** Strangers without a credential are no news at the public door; a signed caller that does not verify is. */
function isForgery({ code, cause }: AppError): boolean {
  return code === 'UNAUTHORIZED' && cause !== undefined;
}
