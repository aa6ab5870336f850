import { useState } from 'react';
import { NativeSelect, TextInput, Textarea } from '@mantine/core';
import type { Dispute } from '@holdfast/sdk';
import { disputeMoves } from '../../generated/states.js';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { ResolveDialog } from './resolve-dialog.js';

type DialogProps = { readonly dispute: Dispute; readonly onClose: () => void };

/** What the state allows, and the credential. */
export function DisputeActions({ dispute }: { readonly dispute: Dispute }) {
  const mayDecide = useMay('support');
  const mayWrite = useMay('write');
  const isIn = (states: readonly Dispute['status'][]): boolean => states.includes(dispute.status);
  return (
    <>
      {mayWrite && isIn(disputeMoves.settle) ? (
        <ActionButton label="Add evidence" dialog={(close) => <EvidenceDialog dispute={dispute} onClose={close} />} />
      ) : null}
      {mayDecide && isIn(disputeMoves.assign) ? (
        <ActionButton label="Assign" look="main" dialog={(close) => <AssignDialog dispute={dispute} onClose={close} />} />
      ) : null}
      {mayDecide && isIn(disputeMoves.resolve) ? (
        <ActionButton label="Resolve" look="main" dialog={(close) => <ResolveDialog dispute={dispute} onClose={close} />} />
      ) : null}
    </>
  );
}

function AssignDialog({ dispute: { id }, onClose }: DialogProps) {
  const { api } = useSession();
  const [assignedTo, setAssignedTo] = useState('');
  return (
    <ActionDialog
      title="Assign the dispute"
      consequence="The review begins, and the dispute can be resolved from then on."
      confirmLabel="Assign"
      isReady={assignedTo.trim() !== ''}
      run={() => api.disputes.assign(id, { assignedTo: assignedTo.trim() })}
      onClose={onClose}
    >
      <TextInput
        label="Who decides"
        description="A name or an address that your team knows"
        value={assignedTo}
        onChange={(event) => setAssignedTo(event.currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
    </ActionDialog>
  );
}

const sides = ['BUYER', 'SELLER'] as const;

function EvidenceDialog({ dispute: { id, openedBy }, onClose }: DialogProps) {
  const { api } = useSession();
  const [by, setBy] = useState<Dispute['openedBy']>(openedBy === 'BUYER' ? 'SELLER' : 'BUYER');
  const [text, setText] = useState('');
  const [url, setUrl] = useState('');
  const [note, address] = [text.trim(), url.trim()];
  const entry = { by, ...(note === '' ? {} : { text: note }), ...(address === '' ? {} : { url: address }) };
  return (
    <ActionDialog
      title="Add evidence"
      consequence="Both sides and your support see it. It counts as a response of the side that it comes from, and cannot be removed."
      confirmLabel="Add"
      isReady={note !== '' || address !== ''}
      run={() => api.disputes.addEvidence(id, entry)}
      onClose={onClose}
    >
      <NativeSelect
        label="From"
        value={by}
        data={[
          { value: 'BUYER', label: 'Buyer' },
          { value: 'SELLER', label: 'Seller' },
        ]}
        onChange={(event) => setBy(sides.find((side) => side === event.currentTarget.value) ?? by)}
      />
      <Textarea label="Text" value={text} onChange={(event) => setText(event.currentTarget.value)} maxLength={4_000} autosize />
      <TextInput
        label="Link"
        placeholder="https://…"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        maxLength={2_000}
      />
    </ActionDialog>
  );
}
