import { Link } from 'wouter';
import type { Summary } from '@holdfast/sdk';
import { EmptyState } from '../../ui/empty-state.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';

/** How many orders are in each state. Those without orders are left out. */
export function OrdersByStatus({ counts }: { readonly counts: Summary['orders'] }) {
  const rows = Object.entries(counts).filter(([, count]) => count > 0);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <Section title="Orders by state">
      {rows.length === 0 ? <EmptyState title="No orders yet">The first one shows up here.</EmptyState> : null}
      <ul className="hf-bars">
        {rows.map(([status, count]) => (
          <li key={status}>
            <Link href={`/orders?status=${status}`}>
              <StatusBadge status={status} />
              <span className="hf-bar" aria-hidden="true">
                <span style={{ width: `${(100 * count) / most}%` }} />
              </span>
              <span className="hf-money">{count.toLocaleString('en')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
