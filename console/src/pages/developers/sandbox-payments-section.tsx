import { useState } from 'react';
import { NativeSelect, TextInput } from '@mantine/core';
import { useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { Section } from '../../ui/section.js';

type DialogProps = { readonly onClose: () => void };

/** What people and banks do outside of the platform. */
export function SandboxPaymentsSection() {
  return (
    <Section
      title="Payments from outside"
      actions={
        <>
          <ActionButton label="Confirm a top-up" dialog={(close) => <TopupDialog onClose={close} />} />
          <ActionButton label="Complete a withdrawal" dialog={(close) => <WithdrawalDialog onClose={close} />} />
          <ActionButton label="Send coins" dialog={(close) => <CoinsDialog onClose={close} />} />
        </>
      }
    >
      <p>Plays the payer of a top-up, the bank of a withdrawal, and a stranger who sends coins to a user's wallet.</p>
    </Section>
  );
}

function TopupDialog({ onClose }: DialogProps) {
  const { api } = useSession();
  const [id, setId] = useState('');
  return (
    <ActionDialog
      title="Confirm a top-up"
      consequence="The simulated payer pays it, and the user is credited."
      confirmLabel="Pay"
      isReady={id.trim() !== ''}
      run={() => api.sandbox.confirmTopup(id.trim())}
      onClose={onClose}
    >
      <IdField label="Top-up" placeholder="topup_…" value={id} onChange={setId} />
    </ActionDialog>
  );
}

function WithdrawalDialog({ onClose }: DialogProps) {
  const { api } = useSession();
  const [id, setId] = useState('');
  return (
    <ActionDialog
      title="Complete a withdrawal"
      consequence="The simulated bank receives the payout, and the withdrawal ends."
      confirmLabel="Complete"
      isReady={id.trim() !== ''}
      run={() => api.sandbox.completeWithdrawal(id.trim())}
      onClose={onClose}
    >
      <IdField label="Withdrawal" placeholder="wd_…" value={id} onChange={setId} />
    </ActionDialog>
  );
}

const assets = ['USDC', 'XLM'] as const;

function CoinsDialog({ onClose }: DialogProps) {
  const { api } = useSession();
  const [userId, setUserId] = useState('');
  const [amount, setAmount] = useState('10.00');
  const [asset, setAsset] = useState<(typeof assets)[number]>('USDC');
  return (
    <ActionDialog
      title="Send coins to a wallet"
      consequence="They arrive at the user's address on the simulated network, and are credited as every deposit is."
      confirmLabel="Send"
      isReady={userId.trim() !== '' && amount !== ''}
      run={() => api.sandbox.dropCoins({ userId: userId.trim(), amount, asset })}
      onClose={onClose}
    >
      <IdField label="User" placeholder="usr_…" value={userId} onChange={setUserId} />
      <TextInput
        label="Amount"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value.trim())}
        inputMode="decimal"
        autoComplete="off"
      />
      <NativeSelect
        label="Asset"
        value={asset}
        data={[...assets]}
        onChange={(event) => setAsset(assets.find((one) => one === event.currentTarget.value) ?? asset)}
      />
    </ActionDialog>
  );
}

type IdFieldProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
};

function IdField({ label, placeholder, value, onChange }: IdFieldProps) {
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      data-autofocus
    />
  );
}
