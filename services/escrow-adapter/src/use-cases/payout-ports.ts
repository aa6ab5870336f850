import type { Envelope, MessageDeclaration } from '@holdfast/contracts/messages';
import type { IntentLease, NewIntent } from '@holdfast/intents';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Tx } from '@holdfast/postgres';
import type { LedgerPayments } from '../wallets/ports.js';
import type { NewEscrowMessage, Transactions, UnitOfWork } from './ports.js';

export type NewPayoutReply<M extends MessageDeclaration = MessageDeclaration> = Omit<
  NewEscrowMessage<M>,
  'escrowId' | 'version'
> & {
  readonly withdrawalId: WithdrawalId;
};

/** What the payouts of withdrawals need besides the rest of `Deps`. */
export type PayoutDeps = {
  /** Payments, which this service builds itself and submits to the network. */
  readonly paymentTransactions: Transactions;
  readonly payments: LedgerPayments;
  /** Stores the intent of a payout. False where it was stored before. */
  readonly addPayout: (intent: NewIntent) => Promise<boolean>;
  /** Closes the intent of a payout in one commit with what `write` records and the reply that it returns. */
  readonly closePayout: (intent: IntentLease, write: (unit: UnitOfWork) => Envelope) => Promise<void>;
  /** Publishes the reply to a payout. */
  readonly publishPayoutReply: <M extends MessageDeclaration>(tx: Tx, message: NewPayoutReply<M>) => Envelope;
};
