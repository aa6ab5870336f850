import { idFromParts, type EscrowId, type MessageId } from '@holdfast/kernel/ids';

/** Derives the message id from the change, so that each external change is published once per contract. */
export function externalEventId(escrowId: EscrowId, type: string, part: string): MessageId {
  return idFromParts('evt', 'outside', escrowId, type, part);
}
