import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorBox } from './error-box.js';
import { SkeletonLines } from './skeletons.js';

type QueryViewProps<T> = {
  readonly query: Pick<UseQueryResult<T, unknown>, 'data' | 'error' | 'refetch'>;
  /** How many lines are expected. */
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
};

/** What a query has found, with the error of a later attempt above it. */
export function QueryView<T>({ query: { data, error, refetch }, lines = 6, children }: QueryViewProps<T>) {
  const notice = error === null ? null : <ErrorBox error={error} onRetry={refetch} />;
  if (data === undefined) return notice ?? <SkeletonLines count={lines} />;
  return (
    <>
      {notice}
      {children(data)}
    </>
  );
}
