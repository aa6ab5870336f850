import { useState } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import type { ApiKeysCreateInput } from '@holdfast/sdk';
import { useSession } from '../../session/session-context.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { SecretDialog } from '../../ui/secret-dialog.js';

type Scopes = Exclude<ApiKeysCreateInput['scopes'][number], '*'>;

const meanings: readonly { readonly scope: Scopes; readonly label: string }[] = [
  { scope: 'read', label: 'read: sees everything of the marketplace' },
  { scope: 'write', label: 'write: creates and moves orders and money' },
  { scope: 'support', label: 'support: decides disputes and cases' },
];

/** Creates a key of the marketplace that is shown, and shows its text once. */
export function NewKeyButton() {
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState<string>();
  return (
    <>
      <Button onClick={() => setOpen(true)}>New API key</Button>
      {isOpen ? <NewKeyDialog onClose={() => setOpen(false)} onKey={setKey} /> : null}
      {key === undefined ? null : (
        <SecretDialog
          title="The new API key"
          use="Put it where your server reads its secrets, such as HOLDFAST_KEY."
          secret={key}
          onClose={() => setKey(undefined)}
        />
      )}
    </>
  );
}

type NewKeyDialogProps = { readonly onClose: () => void; readonly onKey: (key: string) => void };

function NewKeyDialog({ onClose, onKey }: NewKeyDialogProps) {
  const { api, me } = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scopes[]>(['read']);
  const choose = (chosen: readonly string[]): void =>
    setScopes(meanings.map(({ scope }) => scope).filter((scope) => chosen.includes(scope)));
  return (
    <ActionDialog
      title="New API key"
      consequence={`A program that has it acts for ${me.marketplaceId} within its scopes, until it is revoked.`}
      confirmLabel="Create the key"
      isReady={name.trim() !== '' && scopes.length > 0}
      run={async () => {
        const { key } = await api.apiKeys.create({ name: name.trim(), scopes: [...scopes], marketplaceId: me.marketplaceId });
        onKey(key);
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What uses it"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      <Checkbox.Group label="Scopes" value={[...scopes]} onChange={choose}>
        <div className="hf-choices">
          {meanings.map(({ scope, label }) => (
            <Checkbox key={scope} value={scope} label={label} />
          ))}
        </div>
      </Checkbox.Group>
    </ActionDialog>
  );
}
