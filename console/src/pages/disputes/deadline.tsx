import type { Dispute } from '@holdfast/sdk';
import { useNow } from '../../data/use-now.js';
import { RelativeTime } from '../../ui/time.js';

type DeadlineProps = { readonly at: string | null; readonly status: Dispute['status'] };

/** A time by which something is due. It has passed for unresolved disputes only. */
export function Deadline({ at, status }: DeadlineProps) {
  const now = useNow();
  if (at === null) return <span className="hf-dimmed">—</span>;
  const isPassed = status !== 'RESOLVED' && Date.parse(at) < now;
  return (
    <>
      <RelativeTime at={at} /> {isPassed ? <span className="hf-badge hf-badge-bad">Overdue</span> : null}
    </>
  );
}
