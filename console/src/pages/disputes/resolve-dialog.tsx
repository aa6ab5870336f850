import { useState } from 'react';
import { Radio, TextInput, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Dispute, DisputesResolveInput, ResolutionPreview } from '@holdfast/sdk';
import { useRead } from '../../data/use-read.js';
import { useSession } from '../../session/session-context.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { ErrorBox } from '../../ui/error-box.js';
import { Money } from '../../ui/money.js';
import { decisions, disputedAmount, resolutionBody, type Choice, type Decision } from './resolution-body.js';

type ResolveDialogProps = { readonly dispute: Dispute; readonly onClose: () => void };

const names: Readonly<Record<Decision, string>> = {
  FULL_RELEASE: 'Everything to the seller',
  FULL_REFUND: 'Everything back to the buyer',
  SPLIT: 'A part to each of them',
};
const typingPauseMs = 300;

/** The platform itself says who gets what, before anything is decided. */
export function ResolveDialog({ dispute, onClose }: ResolveDialogProps) {
  const { api } = useSession();
  const [choice, setChoice] = useState<Choice>({ decision: 'FULL_RELEASE', toSeller: '', note: '' });
  const order = useRead(['orders.get', dispute.orderId], (client) => client.orders.get(dispute.orderId));
  const disputed = disputedAmount(dispute, order.data);
  const body = resolutionBody(choice, disputed);
  const { currency } = order.data ?? {};
  // Once it is resolved there is nothing to preview any more.
  const [isSent, setSent] = useState(false);
  const preview = usePreview(dispute.id, body, { isEnabled: !isSent });
  const resolve = async (): Promise<Dispute> => {
    if (body === undefined) throw new Error('Choose the amounts first.');
    setSent(true);
    return api.disputes.resolve(dispute.id, body).catch((error: unknown) => {
      setSent(false);
      throw error;
    });
  };
  return (
    <ActionDialog
      title="Resolve the dispute"
      consequence="The money is paid out as you decide. This cannot be taken back."
      confirmLabel="Resolve and pay out"
      isDestructive
      isReady={body !== undefined && preview.data !== undefined && preview.isCurrent}
      run={resolve}
      onClose={onClose}
    >
      <DecisionChoice decision={choice.decision} onChange={(decision) => setChoice({ ...choice, decision })} />
      {choice.decision === 'SPLIT' ? (
        <TextInput
          label="Amount for the seller"
          description={disputed === undefined ? 'The buyer gets the rest' : `Of ${disputed}; the buyer gets the rest`}
          value={choice.toSeller}
          onChange={(event) => setChoice({ ...choice, toSeller: event.currentTarget.value.trim() })}
          inputMode="decimal"
          autoComplete="off"
        />
      ) : null}
      <Textarea
        label="Note"
        description="Both sides see why"
        value={choice.note}
        onChange={(event) => setChoice({ ...choice, note: event.currentTarget.value })}
        maxLength={2_000}
        autosize
      />
      {preview.error === null ? null : <ErrorBox error={preview.error} />}
      {preview.data === undefined ? null : <PreviewTable preview={preview.data} currency={currency} />}
    </ActionDialog>
  );
}

type DecisionChoiceProps = { readonly decision: Decision; readonly onChange: (decision: Decision) => void };

function DecisionChoice({ decision: chosen, onChange }: DecisionChoiceProps) {
  return (
    <Radio.Group label="Decision" value={chosen} onChange={(value) => onChange(decisions.find((one) => one === value) ?? chosen)}>
      <div className="hf-choices">
        {decisions.map((decision) => (
          <Radio key={decision} value={decision} label={names[decision]} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** The preview of the typed amounts, after a short pause. */
function usePreview(id: string, body: DisputesResolveInput | undefined, { isEnabled }: { readonly isEnabled: boolean }) {
  const amounts = JSON.stringify([body?.decision, body?.releaseAmount, body?.refundAmount]);
  const [settled] = useDebouncedValue(amounts, typingPauseMs);
  const isCurrent = settled === amounts;
  const given = body ?? { decision: 'FULL_RELEASE' };
  const { data, error } = useRead(
    ['disputes.resolve', id, settled],
    (api) => api.disputes.resolve(id, { ...given, preview: 'true' }),
    { isEnabled: isEnabled && body !== undefined && isCurrent },
  );
  return { data: body === undefined || !isCurrent ? undefined : data, error, isCurrent };
}

type PreviewTableProps = { readonly preview: ResolutionPreview; readonly currency: string | undefined };

function PreviewTable({ preview, currency }: PreviewTableProps) {
  return (
    <table className="hf-preview" aria-label="Who gets what">
      <tbody>
        <Row label="Seller's part" amount={preview.sellerAmount} currency={currency} />
        <Row label="Platform fee" amount={preview.platformFee} currency={currency} />
        <Row label="Provider's cost" amount={preview.providerCost} currency={currency} />
        <Row label="Seller gets" amount={preview.sellerNet} currency={currency} isResult />
        <Row label="Buyer gets" amount={preview.buyerAmount} currency={currency} isResult />
      </tbody>
    </table>
  );
}

type RowProps = {
  readonly label: string;
  readonly amount: string;
  readonly currency: string | undefined;
  readonly isResult?: boolean;
};

function Row({ label, amount, currency, isResult = false }: RowProps) {
  return (
    <tr className={isResult ? 'hf-preview-result' : undefined}>
      <th scope="row">{label}</th>
      <td className="hf-numeric">
        <Money amount={amount} currency={currency} />
      </td>
    </tr>
  );
}
