import type { CausedWork } from '@holdfast/observability';
import type { Intent } from './intent.js';

/** The span of one run. Its provider calls are in the trace of the request that led to the intent, however long ago that was. */
export function intentSpan({ id, kind, subject, attempts, correlationId, saga, sagaRunId, traceparent }: Intent): CausedWork {
  return {
    kind: 'internal',
    name: `run intent ${kind}`,
    traceparent,
    attributes: {
      'holdfast.intent_id': id,
      'holdfast.subject': subject,
      'holdfast.attempts': attempts,
      'holdfast.request_id': correlationId,
      ...(saga === undefined ? {} : { 'holdfast.saga': saga }),
      ...(sagaRunId === undefined ? {} : { 'holdfast.saga_run_id': sagaRunId }),
    },
  };
}
