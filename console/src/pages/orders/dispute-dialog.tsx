import { useState } from 'react';
import { NativeSelect, Textarea } from '@mantine/core';
import type { Dispute } from '@holdfast/sdk';
import { ActionDialog } from '../../ui/action-dialog.js';
import { wordsOf } from '../../ui/status-words.js';

const parties = ['BUYER', 'SELLER'] as const satisfies readonly Dispute['openedBy'][];
const reasons = ['NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER'] as const satisfies readonly Dispute['reason'][];

export type NewDispute = {
  readonly openedBy: Dispute['openedBy'];
  readonly reason: Dispute['reason'];
  readonly evidence?: string[];
};

type DisputeDialogProps = {
  /** What is disputed: "the order", or a milestone. */
  readonly about: string;
  readonly run: (input: NewDispute) => Promise<unknown>;
  readonly onClose: () => void;
};

export function DisputeDialog({ about, run, onClose }: DisputeDialogProps) {
  const [openedBy, setOpenedBy] = useState<NewDispute['openedBy']>('BUYER');
  const [reason, setReason] = useState<NewDispute['reason']>('NOT_DELIVERED');
  const [evidence, setEvidence] = useState('');
  const lines = evidence.split('\n').filter((line) => line.trim() !== '');
  return (
    <ActionDialog
      title={`Open a dispute about ${about}`}
      consequence="Nothing of it is paid out until your support has decided. Opening a dispute cannot be taken back; deciding ends it."
      confirmLabel="Open dispute"
      isDestructive
      run={() => run({ openedBy, reason, ...(lines.length === 0 ? {} : { evidence: lines }) })}
      onClose={onClose}
    >
      <NativeSelect
        label="Opened by"
        value={openedBy}
        data={parties.map((party) => ({ value: party, label: wordsOf(party) }))}
        onChange={({ currentTarget: { value } }) => setOpenedBy(parties.find((party) => party === value) ?? openedBy)}
      />
      <NativeSelect
        label="Reason"
        value={reason}
        data={reasons.map((one) => ({ value: one, label: wordsOf(one) }))}
        onChange={({ currentTarget: { value } }) => setReason(reasons.find((one) => one === value) ?? reason)}
      />
      <Textarea
        label="Evidence"
        description="References such as addresses, one a line"
        value={evidence}
        onChange={(event) => setEvidence(event.currentTarget.value)}
        autosize
        minRows={2}
      />
    </ActionDialog>
  );
}
