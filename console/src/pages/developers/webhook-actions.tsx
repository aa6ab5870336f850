import { useState } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { useLocation } from 'wouter';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import { secretUse } from './new-webhook-button.js';
import { ReplayDialog } from './replay-dialog.js';

type EndpointProps = { readonly endpoint: WebhookEndpoint };
type DialogProps = EndpointProps & { readonly onClose: () => void };

export function WebhookActions({ endpoint }: EndpointProps) {
  const isEnabled = endpoint.status === 'ENABLED';
  const [secret, setSecret] = useState<string>();
  return (
    <>
      {isEnabled ? (
        <>
          <ActionButton label="Send a test" dialog={(close) => <TestDialog endpoint={endpoint} onClose={close} />} />
          <ActionButton label="Replay" dialog={(close) => <ReplayDialog endpoint={endpoint} onClose={close} />} />
        </>
      ) : null}
      <ActionButton label="Edit" dialog={(close) => <EditDialog endpoint={endpoint} onClose={close} />} />
      <ActionButton
        label="Rotate secret"
        dialog={(close) => <RotateDialog endpoint={endpoint} onClose={close} onSecret={setSecret} />}
      />
      {isEnabled ? (
        <ActionButton label="Disable" look="danger" dialog={(close) => <DisableDialog endpoint={endpoint} onClose={close} />} />
      ) : (
        <ActionButton label="Enable" look="main" dialog={(close) => <EnableDialog endpoint={endpoint} onClose={close} />} />
      )}
      <ActionButton label="Delete" look="danger" dialog={(close) => <DeleteDialog endpoint={endpoint} onClose={close} />} />
      {secret === undefined ? null : (
        <SecretDialog
          title="The new secret of the endpoint"
          use={secretUse}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function TestDialog({ endpoint: { id }, onClose }: DialogProps) {
  const { api } = useSession();
  return (
    <ActionDialog
      title="Send a test event"
      consequence="Sends an example of order.created with “test” in its metadata. It is not on the stream, and nothing else happens."
      confirmLabel="Send"
      run={() => api.webhookEndpoints.test(id)}
      onClose={onClose}
    />
  );
}

function EditDialog({ endpoint, onClose }: DialogProps) {
  const { api } = useSession();
  const [url, setUrl] = useState(endpoint.url);
  const [description, setDescription] = useState(endpoint.description ?? '');
  const remark = description.trim();
  return (
    <ActionDialog
      title="Edit the endpoint"
      consequence="Takes effect with the next attempt, also of deliveries that wait already."
      confirmLabel="Save"
      isReady={url.trim() !== ''}
      run={() => api.webhookEndpoints.update(endpoint.id, { url: url.trim(), ...(remark === '' ? {} : { description: remark }) })}
      onClose={onClose}
    >
      <TextInput label="Address" value={url} onChange={(event) => setUrl(event.currentTarget.value)} maxLength={2_000} />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        maxLength={200}
      />
    </ActionDialog>
  );
}

type RotateDialogProps = DialogProps & { readonly onSecret: (secret: string) => void };

function RotateDialog({ endpoint: { id }, onClose, onSecret }: RotateDialogProps) {
  const { api } = useSession();
  const [isAtOnce, setAtOnce] = useState(false);
  return (
    <ActionDialog
      title="Rotate the secret"
      consequence={
        isAtOnce
          ? 'The old secret ends now: your server refuses events until it has the new one.'
          : 'Requests carry both signatures for a day, so that your server can change over.'
      }
      confirmLabel="Rotate"
      isDestructive={isAtOnce}
      run={async () => {
        const { secret } = await api.webhookEndpoints.rotateSecret(id, isAtOnce ? { overlapSeconds: 0 } : {});
        onSecret(secret);
      }}
      onClose={onClose}
    >
      <Checkbox
        label="End the old secret at once, because it has leaked"
        checked={isAtOnce}
        onChange={(event) => setAtOnce(event.currentTarget.checked)}
      />
    </ActionDialog>
  );
}

function DisableDialog({ endpoint: { id }, onClose }: DialogProps) {
  const { api } = useSession();
  return (
    <ActionDialog
      title="Disable the endpoint"
      consequence="Waiting deliveries are canceled, and nothing is sent until you enable it again. It can then resume where it stopped."
      confirmLabel="Disable"
      isDestructive
      run={() => api.webhookEndpoints.disable(id)}
      onClose={onClose}
    />
  );
}

function EnableDialog({ endpoint: { id }, onClose }: DialogProps) {
  const { api } = useSession();
  const [replay, setReplay] = useState(true);
  return (
    <ActionDialog
      title="Enable the endpoint"
      consequence={
        replay ? 'Resumes with the first event that was not delivered.' : 'Begins with the next event; earlier ones are left out.'
      }
      confirmLabel="Enable"
      run={() => api.webhookEndpoints.enable(id, { replay })}
      onClose={onClose}
    >
      <Checkbox label="Send what was missed, too" checked={replay} onChange={(event) => setReplay(event.currentTarget.checked)} />
    </ActionDialog>
  );
}

function DeleteDialog({ endpoint: { id, url }, onClose }: DialogProps) {
  const { api } = useSession();
  const [, navigate] = useLocation();
  return (
    <ActionDialog
      title="Delete the endpoint"
      consequence={`Nothing is sent to ${url} any more, and what waits is canceled. The endpoint does not come back.`}
      confirmLabel="Delete"
      isDestructive
      run={() => api.webhookEndpoints.delete(id)}
      onDone={() => navigate('/developers')}
      onClose={onClose}
    />
  );
}
