import { useState } from 'react';
import { Textarea } from '@mantine/core';
import type { Holdfast, Order } from '@holdfast/sdk';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { orderActions, type OrderAction } from './allowed-actions.js';
import { DisputeDialog } from './dispute-dialog.js';
import { textOf } from './order-action-texts.js';

/** What can be done with the order in its state. The first one leads on; those that take something away are marked. */
export function OrderActions({ order }: { readonly order: Order }) {
  const { api } = useSession();
  const mayWrite = useMay('write');
  if (!mayWrite) return null;
  return orderActions(order).map((action, index) => {
    const { label, isDestructive = false } = textOf(action, order);
    return (
      <ActionButton
        key={action}
        label={label}
        look={isDestructive ? 'danger' : index === 0 ? 'main' : 'plain'}
        dialog={(close) =>
          action === 'dispute' ? (
            <DisputeDialog about="the order" run={(input) => api.disputes.open(order.id, input)} onClose={close} />
          ) : (
            <OrderDialog order={order} action={action} onClose={close} />
          )
        }
      />
    );
  });
}

type PlainAction = Exclude<OrderAction, 'dispute'>;
type OrderDialogProps = { readonly order: Order; readonly action: PlainAction; readonly onClose: () => void };

function OrderDialog({ order, action, onClose }: OrderDialogProps) {
  const { api } = useSession();
  const [reason, setReason] = useState('');
  const { title, label, consequence, isDestructive = false, reason: wanted } = textOf(action, order);
  return (
    <ActionDialog
      title={title}
      consequence={consequence}
      confirmLabel={label}
      isDestructive={isDestructive}
      isReady={wanted !== 'required' || reason.trim() !== ''}
      run={() => carryOut(api, { orderId: order.id, action, reason: reason.trim() })}
      onClose={onClose}
    >
      {wanted === 'none' ? null : (
        <Textarea
          label="Reason"
          description="Recorded in the audit log"
          required={wanted === 'required'}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          autosize
          minRows={2}
        />
      )}
    </ActionDialog>
  );
}

type Chosen = { readonly orderId: string; readonly action: PlainAction; readonly reason: string };

function carryOut({ orders }: Holdfast, { orderId, action, reason }: Chosen): Promise<Order> {
  const given = reason === '' ? {} : { reason };
  switch (action) {
    case 'reserve':
      return orders.reserve(orderId);
    case 'createEscrow':
      return orders.createEscrow(orderId);
    case 'fundEscrow':
      return orders.fundEscrow(orderId);
    case 'cancel':
      return orders.cancel(orderId, given);
    case 'release':
      return orders.release(orderId, given);
    case 'refund':
      return orders.refund(orderId, { reason });
  }
}
