import { useState } from 'react';
import { TextInput } from '@mantine/core';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { useSession } from '../../session/session-context.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { instantOf } from '../../data/instant-of.js';

type ReplayDialogProps = { readonly endpoint: WebhookEndpoint; readonly onClose: () => void };

export function ReplayDialog({ endpoint: { id }, onClose }: ReplayDialogProps) {
  const { api } = useSession();
  const [from, setFrom] = useState('');
  const since = instantOf(from);
  return (
    <ActionDialog
      title="Replay events"
      consequence="Sends the events after this time once more, as far as the history goes back. They have the same webhook-id as before."
      confirmLabel="Replay"
      isReady={since !== undefined}
      run={() => api.webhookEndpoints.replay(id, { since: since ?? '' })}
      onClose={onClose}
    >
      <TextInput
        type="datetime-local"
        step={1}
        label="Events after"
        description="In the time zone of this browser"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}
