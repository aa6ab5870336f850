import { useState } from 'react';
import { Modal, Radio, Textarea } from '@mantine/core';
import type { ReconciliationCase, ReconciliationResolveCaseInput } from '@holdfast/sdk';
import { useSession } from '../../session/session-context.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';

type CaseDialogProps = { readonly record: ReconciliationCase; readonly onClose: () => void };
type Action = ReconciliationResolveCaseInput['action'];

const actions = ['credit', 'return', 'write_off'] as const satisfies readonly Action[];
const meanings: Readonly<Record<Action, string>> = {
  credit: 'Credit the user',
  return: 'Send it back to the payer',
  write_off: 'Keep it with the platform (a negative amount is the platform’s loss)',
};

/** The case, and what can be decided about it. A decision that waits for a second person is shown as it was requested. */
export function CaseDialog({ record, onClose }: CaseDialogProps) {
  if (record.status !== 'RESOLVED') return <DecisionDialog record={record} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title="Reconciliation case" closeButtonProps={{ 'aria-label': 'Close' }}>
      <CaseFacts record={record} />
    </Modal>
  );
}

function DecisionDialog({ record, onClose }: CaseDialogProps) {
  const { api } = useSession();
  const { id, resolution } = record;
  const [action, setAction] = useState<Action>(resolution?.action ?? 'credit');
  const [note, setNote] = useState(resolution?.note ?? '');
  const isSecond = record.status === 'PENDING_APPROVAL';
  return (
    <ActionDialog
      title={isSecond ? 'Confirm the decision' : 'Decide the case'}
      consequence={
        isSecond
          ? 'Another key has decided. Confirm with the same action; another action starts again and needs a second person, too.'
          : 'Books the money as you decide. Above a configured amount a second person confirms with another key.'
      }
      confirmLabel={isSecond ? 'Confirm' : 'Decide'}
      isDestructive
      isReady={note.trim() !== ''}
      run={() => api.reconciliation.resolveCase(id, { action, note: note.trim() })}
      onClose={onClose}
    >
      <CaseFacts record={record} />
      <Radio.Group label="Action" value={action} onChange={(value) => setAction(actions.find((one) => one === value) ?? action)}>
        <div className="hf-choices">
          {actions.map((one) => (
            <Radio key={one} value={one} label={meanings[one]} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label="Why"
        description="Stays with the case and in the audit trail"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={2_000}
        autosize
      />
    </ActionDialog>
  );
}

function CaseFacts({ record }: Pick<CaseDialogProps, 'record'>) {
  const { kind, amount, currency, userId, source, sourceId, relatedId, foundAt, reason, resolution } = record;
  const facts: readonly Fact[] = [
    { label: 'Kind', value: wordsOf(kind) },
    { label: 'Amount', value: <Money amount={amount} currency={currency} /> },
    { label: 'User', value: userId === null ? null : <IdLink id={userId} /> },
    { label: 'Found at', value: wordsOf(source) },
    { label: 'Id there', value: <IdLink id={sourceId} /> },
    { label: 'Related', value: relatedId === null ? null : <IdLink id={relatedId} /> },
    { label: 'Found', value: <Time at={foundAt} /> },
  ];
  return (
    <>
      <p className="hf-prose">{reason}</p>
      <Facts facts={facts} />
      {resolution === null ? null : <Facts facts={decisionFacts(resolution)} />}
    </>
  );
}

function decisionFacts(resolution: NonNullable<ReconciliationCase['resolution']>): readonly Fact[] {
  const { action, requestedBy, approvedBy, resolvedAt, note } = resolution;
  return [
    { label: 'Decision', value: meanings[action] },
    { label: 'Decided by', value: <IdLink id={requestedBy} /> },
    { label: 'Confirmed by', value: approvedBy === null ? null : <IdLink id={approvedBy} /> },
    { label: 'Resolved', value: <Time at={resolvedAt} /> },
    { label: 'Why', value: note },
  ];
}
