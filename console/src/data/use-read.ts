import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Holdfast, List, OperationId, Page } from '@holdfast/sdk';
import { useSession } from '../session/session-context.js';

/** The operation and what it is given. With it, the live updates find the events that concern the query. */
export type ReadKey = readonly [operation: OperationId, ...given: readonly unknown[]];

export type ReadOptions = {
  /** False while what the query needs is not known yet, or not allowed. */
  readonly isEnabled?: boolean;
  /** For what no event reports. At rest a tab makes at most ten requests a minute. */
  readonly everyMs?: number | undefined;
};

/** A record, kept up to date. */
export function useRead<T>(
  key: ReadKey,
  read: (api: Holdfast) => Promise<T>,
  { isEnabled = true, everyMs }: ReadOptions = {},
): UseQueryResult<T, unknown> {
  const { api } = useSession();
  return useQuery<T, unknown>({
    queryKey: key,
    queryFn: () => read(api),
    enabled: isEnabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}

/** One page of a list, kept up to date. The page before it stays on the screen until it is there. */
export function useListPage<T>(
  key: ReadKey,
  list: (api: Holdfast) => List<T>,
  { isEnabled = true, everyMs }: ReadOptions = {},
): UseQueryResult<Page<T>, unknown> {
  const { api } = useSession();
  return useQuery<Page<T>, unknown>({
    queryKey: key,
    queryFn: () => list(api).page(),
    enabled: isEnabled,
    placeholderData: (previous) => previous,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}
