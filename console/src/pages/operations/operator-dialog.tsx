import { useState, type ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { ActionDialog } from '../../ui/action-dialog.js';

/** The operator's name and reason: the audit trail keeps both. */
export type Operator = { readonly by: string; readonly reason: string };

type OperatorDialogProps = {
  readonly title: string;
  readonly consequence: ReactNode;
  readonly confirmLabel: string;
  readonly isDestructive?: boolean;
  readonly run: (operator: Operator) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Confirms what an operator does to the platform. Where the operator routes are off, the platform refuses it with 404. */
export function OperatorDialog({ run, ...dialog }: OperatorDialogProps) {
  const [by, setBy] = useState('');
  const [reason, setReason] = useState('');
  const operator = { by: by.trim(), reason: reason.trim() };
  return (
    <ActionDialog {...dialog} isReady={operator.by !== '' && operator.reason !== ''} run={() => run(operator)}>
      <TextInput
        label="Your name"
        description="The audit trail names you"
        value={by}
        onChange={(event) => setBy(event.currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
      <TextInput
        label="Why"
        description="Such as the number of a ticket"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={500}
        autoComplete="off"
      />
    </ActionDialog>
  );
}
