import { randomUUID } from 'node:crypto';
import type { Clock } from '@holdfast/kernel/context';
import type { ContractEffect } from '../ledger-network/apply-contract-call.js';
import type { LandedTransaction } from '../store/records.js';
import type { StoreTransaction } from '../store/store.js';
import { escrowEventBody, escrowEventOf } from './escrow-event.js';

/** Stores a webhook in the transaction of its change. */
export type WebhookQueue = {
  readonly contractChanged: (transaction: StoreTransaction, effect: ContractEffect, landed: LandedTransaction) => void;
  readonly paymentChanged: (transaction: StoreTransaction, type: string, data: unknown) => void;
};

export const noWebhooks: WebhookQueue = { contractChanged: () => undefined, paymentChanged: () => undefined };

export function createWebhookQueue(clock: Clock): WebhookQueue {
  return {
    contractChanged: (transaction, effect, landed) => {
      const event = escrowEventOf(effect);
      if (event === undefined) return;
      // A ledger transaction changes one contract once, so its hash identifies the event.
      const id = `evt_${landed.hash}`;
      const body = escrowEventBody(event, id, effect.after, landed);
      transaction.put('webhooks', id, { id, receiver: 'escrow', body, attempts: 0, createdAtMs: clock.epochMs() });
    },
    paymentChanged: (transaction, type, data) => {
      const id = `msg_${randomUUID()}`;
      const body = JSON.stringify({ type, data });
      transaction.put('webhooks', id, { id, receiver: 'payment', body, attempts: 0, createdAtMs: clock.epochMs() });
    },
  };
}
