import { useState } from 'react';
import { Textarea, TextInput } from '@mantine/core';
import type { Holdfast, Milestone, Order } from '@holdfast/sdk';
import { useSession } from '../../session/session-context.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import type { MilestoneAction } from './allowed-actions.js';
import { consequenceOf, milestoneLabels } from './milestone-action-texts.js';

type PlainAction = Exclude<MilestoneAction, 'dispute'>;

type MilestoneDialogProps = {
  readonly order: Order;
  readonly milestone: Milestone;
  readonly action: PlainAction;
  readonly onClose: () => void;
};

type Fields = { readonly text: string; readonly url: string; readonly until: string };

export function MilestoneDialog({ order, milestone, action, onClose }: MilestoneDialogProps) {
  const { api } = useSession();
  const [fields, setFields] = useState<Fields>({ text: '', url: '', until: '' });
  const change = (changed: Partial<Fields>): void => setFields({ ...fields, ...changed });
  return (
    <ActionDialog
      title={`${milestoneLabels[action]}: ${milestone.title}`}
      consequence={consequenceOf(action, order, milestone)}
      confirmLabel={milestoneLabels[action]}
      isDestructive={action === 'refund'}
      isReady={isFilledIn(action, fields)}
      run={() => carryOut(api, { order, milestone, action, fields })}
      onClose={onClose}
    >
      <DialogFields {...{ action, fields, change }} />
    </ActionDialog>
  );
}

const takesReason: readonly PlainAction[] = ['requestChanges', 'refund'];

function isFilledIn(action: PlainAction, { text, until }: Fields): boolean {
  if (action === 'extendReview') return until !== '';
  return !takesReason.includes(action) || text.trim() !== '';
}

type DialogFieldsProps = {
  readonly action: PlainAction;
  readonly fields: Fields;
  readonly change: (changed: Partial<Fields>) => void;
};

function DialogFields({ action, fields: { text, url, until }, change }: DialogFieldsProps) {
  const note = {
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => change({ text: event.currentTarget.value }),
  };
  if (takesReason.includes(action)) return <Textarea label="Reason" required maxLength={500} autosize minRows={2} {...note} />;
  if (action === 'extendReview')
    return (
      <TextInput
        label="Until"
        type="datetime-local"
        required
        value={until}
        onChange={(event) => change({ until: event.currentTarget.value })}
      />
    );
  if (action !== 'submit') return null;
  return (
    <>
      <Textarea label="What was done" maxLength={4_000} autosize minRows={2} {...note} />
      <TextInput
        label="Link to the work"
        placeholder="https://…"
        maxLength={2_000}
        value={url}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
    </>
  );
}

type Chosen = Omit<MilestoneDialogProps, 'onClose'> & { readonly fields: Fields };

function carryOut({ orders }: Holdfast, { order: { id }, milestone: { ref }, action, fields }: Chosen): Promise<Order> {
  const text = fields.text.trim();
  switch (action) {
    case 'submit':
      return orders.submitMilestone(id, ref, evidenceIn(fields));
    case 'complete':
      return orders.completeMilestone(id, ref);
    case 'requestChanges':
      return orders.requestMilestoneChanges(id, ref, { reason: text });
    case 'extendReview':
      return orders.extendMilestoneReview(id, ref, { until: new Date(fields.until).toISOString() });
    case 'release':
      return orders.releaseMilestone(id, ref);
    case 'refund':
      return orders.refundMilestone(id, ref, { reason: text });
  }
}

/** None if neither a text nor an address was given. */
function evidenceIn(fields: Fields): { readonly evidence?: { text?: string; url?: string } } {
  const [text, url] = [fields.text.trim(), fields.url.trim()];
  if (text === '' && url === '') return {};
  return { evidence: { ...(text === '' ? {} : { text }), ...(url === '' ? {} : { url }) } };
}
