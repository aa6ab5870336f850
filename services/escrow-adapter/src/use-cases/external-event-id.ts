import { idFromParts, type EscrowId, type MessageId } from '@holdfast/kernel/ids';

/** A fact that no saga led to is told once per contract, however it was learned. */
export function externalEventId(escrowId: EscrowId, type: string, part: string): MessageId {
  return idFromParts('evt', 'outside', escrowId, type, part);
}
