import { hash } from 'node:crypto';

/**
 * The memo of every payment for a withdrawal on the ledger network, in hex, so that the network shows which withdrawals were
 * paid. See ADR 0066.
 */
export function payoutMemoHash(withdrawalId: string): string {
  return hash('sha256', `holdfast payout ${withdrawalId}`);
}
