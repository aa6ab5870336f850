import type { Dispute } from '@holdfast/sdk';
import type { PageProps } from '../../page-props.js';
import { useRead } from '../../data/use-read.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { ObjectPage } from '../../ui/object-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';
import { Comments } from './comments.js';
import { Deadline } from './deadline.js';
import { DisputeActions } from './dispute-actions.js';
import { EvidenceList } from './evidence-list.js';

export function DisputePage({ params: { id = '' } }: PageProps) {
  const query = useRead(['disputes.get', id], (api) => api.disputes.get(id));
  return <QueryView query={query}>{(dispute) => <DisputeView dispute={dispute} />}</QueryView>;
}

function DisputeView({ dispute }: { readonly dispute: Dispute }) {
  const { id, status, reason } = dispute;
  return (
    <ObjectPage
      kind="Dispute"
      id={id}
      title={wordsOf(reason)}
      badge={<StatusBadge status={status} />}
      actions={<DisputeActions dispute={dispute} />}
      request={{ operation: 'disputes.get', params: [id] }}
    >
      <Section title="What it is about">
        <Facts facts={factsOf(dispute)} />
      </Section>
      {dispute.resolutionDecision === null ? null : <Resolution dispute={dispute} />}
      <div className="hf-columns">
        <Section title="Evidence">
          <EvidenceList dispute={dispute} />
        </Section>
        <Section title="Comments">
          <Comments dispute={dispute} />
        </Section>
      </div>
    </ObjectPage>
  );
}

function factsOf(dispute: Dispute): readonly Fact[] {
  const { orderId, milestoneRef, openedBy, status, assignedTo, respondBy, decideBy, onNoResponse, createdAt } = dispute;
  return [
    { label: 'Order', value: <IdLink id={orderId} /> },
    { label: 'Milestone', value: milestoneRef ?? 'The whole order' },
    { label: 'Opened by', value: wordsOf(openedBy) },
    { label: 'Opened', value: <Time at={createdAt} /> },
    { label: 'Assigned to', value: assignedTo },
    { label: 'Response due', value: <Deadline at={respondBy} status={status} /> },
    { label: 'Without a response', value: onNoResponse === 'opener' ? `The ${openedBy.toLowerCase()} wins` : 'Nothing happens' },
    { label: 'Decision due', value: <Deadline at={decideBy} status={status} /> },
  ];
}

function Resolution({ dispute }: { readonly dispute: Dispute }) {
  const { resolutionDecision, releaseAmount, refundAmount, resolvedBy, resolvedAt, decisionNote } = dispute;
  const facts = [
    { label: 'Decision', value: wordsOf(resolutionDecision ?? '') },
    { label: 'To the seller', value: releaseAmount === null ? null : <Money amount={releaseAmount} /> },
    { label: 'To the buyer', value: refundAmount === null ? null : <Money amount={refundAmount} /> },
    { label: 'Decided by', value: resolvedBy === null ? null : <IdLink id={resolvedBy} /> },
    { label: 'Decided', value: <Time at={resolvedAt} /> },
    { label: 'Note', value: decisionNote },
  ];
  return (
    <Section title="Resolution">
      <Facts facts={facts} />
    </Section>
  );
}
