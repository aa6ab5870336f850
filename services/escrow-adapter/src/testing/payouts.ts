import { withdrawalLedgerPayoutRequested, type Envelope, type Payload } from '@holdfast/contracts/messages';
import type { RunningAdapter } from './running-adapter.js';

export type TestPayout = Payload<typeof withdrawalLedgerPayoutRequested> & { readonly command: Envelope };

export const payoutReplies = ['withdrawal.ledger_payout_landed', 'withdrawal.ledger_payout_failed'] as const;

/** Publishes `withdrawal.ledger_payout_requested` as payments does. */
export async function requestPayout(
  { newId, publish }: Pick<RunningAdapter, 'newId' | 'publish'>,
  given: Partial<TestPayout> & { readonly address: string },
): Promise<TestPayout> {
  const payload = { withdrawalId: newId('wd'), userId: newId('usr'), amount: '25.00', currency: 'USDC', ...given } as const;
  return { ...payload, command: await publish(withdrawalLedgerPayoutRequested, payload.withdrawalId, payload) };
}
