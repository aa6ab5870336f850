import { useState } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useSession } from '../../session/session-context.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { SecretDialog } from '../../ui/secret-dialog.js';
import { eventFamilies, familiesIn, type EventFamily } from './event-families.js';

export const secretUse = 'Your server verifies with it that a request comes from the platform.';

export function NewWebhookButton() {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Button onClick={() => setOpen(true)}>New endpoint</Button>
      {isOpen ? <NewWebhookDialog onClose={() => setOpen(false)} onSecret={setSecret} /> : null}
      {secret === undefined ? null : (
        <SecretDialog title="The secret of the endpoint" use={secretUse} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  );
}

type NewWebhookDialogProps = { readonly onClose: () => void; readonly onSecret: (secret: string) => void };

function NewWebhookDialog({ onClose, onSecret }: NewWebhookDialogProps) {
  const { api } = useSession();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [types, setTypes] = useState<readonly EventFamily[]>([]);
  const remark = description.trim();
  return (
    <ActionDialog
      title="New webhook endpoint"
      consequence="Every event of the marketplace from now on is sent to this address, with the ids and amounts that it contains."
      confirmLabel="Create the endpoint"
      isReady={url.trim() !== ''}
      run={async () => {
        const input = { url: url.trim(), types: [...types], ...(remark === '' ? {} : { description: remark }) };
        const { secret } = await api.webhookEndpoints.create(input);
        onSecret(secret);
      }}
      onClose={onClose}
    >
      <TextInput
        label="Address"
        placeholder="https://shop.example/holdfast"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        maxLength={2_000}
        autoComplete="off"
        inputMode="url"
        data-autofocus
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        maxLength={200}
        autoComplete="off"
      />
      <Checkbox.Group
        label="Only these events"
        description="None: all, also those that come later"
        value={[...types]}
        onChange={(chosen) => setTypes(familiesIn(chosen))}
      >
        <div className="hf-choices hf-choices-many">
          {eventFamilies.map((family) => (
            <Checkbox key={family} value={family} label={family} />
          ))}
        </div>
      </Checkbox.Group>
    </ActionDialog>
  );
}
