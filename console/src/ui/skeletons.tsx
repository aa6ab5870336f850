import { Skeleton } from '@mantine/core';

/** As high as what will be there, so that nothing jumps. */
export function SkeletonLines({ count }: { readonly count: number }) {
  return (
    <div className="hf-skeleton" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_none, line) => (
        <Skeleton key={line} height={14} radius="sm" />
      ))}
    </div>
  );
}
