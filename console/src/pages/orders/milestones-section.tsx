import type { Milestone, Order } from '@holdfast/sdk';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { OutsideLink } from '../../ui/outside-link.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime, Time } from '../../ui/time.js';
import { MilestoneActions } from './milestone-actions.js';

/** The parts of the order, their timers, and what was handed in. */
export function MilestonesSection({ order }: { readonly order: Order }) {
  return (
    <Section title="Milestones" isFlush>
      <ol className="hf-milestones">
        {order.milestones.map((milestone) => (
          <MilestoneItem key={milestone.ref} {...{ order, milestone }} />
        ))}
      </ol>
    </Section>
  );
}

type MilestoneItemProps = { readonly order: Order; readonly milestone: Milestone };

function MilestoneItem({ order, milestone }: MilestoneItemProps) {
  const { ref, title, amount, status, disputeId, operation } = milestone;
  return (
    <li className="hf-milestone">
      <div className="hf-milestone-head">
        <div className="hf-milestone-title">
          <strong>{title}</strong> <StatusBadge status={status} />
          {operation === null ? null : <StatusBadge status={`${operation.name} …`} tone="busy" />}
          <div className="hf-dimmed">
            <code>{ref}</code>
          </div>
        </div>
        <Money amount={amount} currency={order.currency} />
        <MilestoneActions {...{ order, milestone }} />
      </div>
      <MilestoneTimes milestone={milestone} currency={order.currency} />
      {disputeId === null ? null : (
        <p>
          Dispute <IdLink id={disputeId} />
        </p>
      )}
      <Evidence milestone={milestone} />
    </li>
  );
}

type MilestoneTimesProps = { readonly milestone: Milestone; readonly currency: Order['currency'] };

function MilestoneTimes({ milestone, currency }: MilestoneTimesProps) {
  const { submittedAt, autoReleaseAt, completedAt, releasedAt, releasedAmount, refundedAmount } = milestone;
  const parts = [
    { label: 'Submitted', at: submittedAt },
    { label: 'Approved', at: completedAt },
    { label: 'Paid', at: releasedAt },
  ].filter(({ at }) => at !== null);
  return (
    <p className="hf-milestone-times">
      {autoReleaseAt === null ? null : (
        <span className="hf-timer">
          Releases by itself <RelativeTime at={autoReleaseAt} />
        </span>
      )}
      {parts.map(({ label, at }) => (
        <span key={label}>
          {label} <Time at={at} />
        </span>
      ))}
      {isNothing(releasedAmount) ? null : (
        <span>
          Released <Money amount={releasedAmount} currency={currency} />
        </span>
      )}
      {isNothing(refundedAmount) ? null : (
        <span>
          Refunded <Money amount={refundedAmount} currency={currency} />
        </span>
      )}
    </p>
  );
}

function isNothing(amount: string): boolean {
  return /^[0.]+$/.test(amount);
}

/** Texts and addresses of marketplaces. */
function Evidence({ milestone: { evidence } }: { readonly milestone: Milestone }) {
  if (evidence.length === 0) return null;
  return (
    <ul className="hf-evidence">
      {evidence.map(({ text, url, at }) => (
        <li key={`${at} ${url ?? ''}`}>
          {text === undefined ? null : <p className="hf-prose">{text}</p>}
          {url === undefined ? null : <OutsideLink address={url} />}
          <span className="hf-dimmed">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
