import type { RunsQuery } from '@holdfast/contracts/http';
import type { Instant } from '@holdfast/kernel/context';
import type { OpenRunsQuery } from './drive-runs.js';

/** The open runs that the query of an internal route asks for. */
export function requestedRuns({ limitMax, afterBegunAt, afterId, ...filter }: RunsQuery, at: Instant): OpenRunsQuery {
  const after = afterBegunAt === undefined || afterId === undefined ? undefined : { begunAt: afterBegunAt, id: afterId };
  return { olderThanMs: 0, limitMax, at, filter: { ...filter, after } };
}
