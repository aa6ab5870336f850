import { z } from 'zod';
import { amountOut, currency, id, instant } from '../shapes/index.js';
import { message } from './message.js';

const withdrawalMessage = { version: 1, aggregateType: 'Withdrawal' } as const;
const publicMessage = { ...withdrawalMessage, visibility: 'public', publisher: 'payments' } as const;
const internalMessage = { ...withdrawalMessage, visibility: 'internal', publisher: 'payments' } as const;
const adapterMessage = { ...withdrawalMessage, visibility: 'internal', publisher: 'escrow-adapter' } as const;

const ofWithdrawal = { withdrawalId: id('wd'), userId: id('usr'), amount: amountOut };
const withCurrency = { ...ofWithdrawal, currency };
const providerPayoutId = z.string().meta({
  description: 'Id of the payout at the payment provider, or transaction hash on the ledger network',
  example: 'payout-7',
});
const reason = z.string().meta({ example: 'The account does not accept payouts.' });
const errorCode = z.string().meta({ description: 'Error code of the provider', example: '415065' });
const address = z.string().meta({ example: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' });

export const withdrawalCreated = message({
  ...publicMessage,
  type: 'withdrawal.created',
  summary: 'A withdrawal was created and its amount reserved.',
  payload: z.strictObject({
    ...withCurrency,
    destinationType: z.string().meta({ example: 'bank' }),
    destinationRef: z.string().meta({ example: 'account-7' }),
  }),
});

export const withdrawalCommitted = message({
  ...publicMessage,
  type: 'withdrawal.committed',
  summary: 'The withdrawal was committed: the money is sent.',
  payload: z.strictObject({
    ...withCurrency,
    committedBalance: amountOut.meta({ description: 'The reserved amount' }),
    availableBalance: amountOut,
  }),
});

export const withdrawalPending = message({
  ...publicMessage,
  type: 'withdrawal.pending',
  summary: 'The provider has accepted the payout.',
  payload: z.strictObject({ ...ofWithdrawal, providerPayoutId }),
});

export const withdrawalPendingUserAction = message({
  ...publicMessage,
  type: 'withdrawal.pending_user_action',
  summary: 'The payout waits for the user at the payment provider.',
  payload: z.strictObject({
    withdrawalId: id('wd'),
    userId: id('usr'),
    actionRequired: z.string().meta({ example: 'Sign up at the payment provider.' }),
    actionUrl: z.string().optional(),
  }),
});

export const withdrawalCompleted = message({
  ...publicMessage,
  type: 'withdrawal.completed',
  summary: 'The money was paid out.',
  payload: z.strictObject({ ...withCurrency, completedAt: instant, providerPayoutId: providerPayoutId.optional() }),
});

export const withdrawalFailed = message({
  ...publicMessage,
  type: 'withdrawal.failed',
  summary: 'The payout failed; the amount is available again.',
  payload: z.strictObject({
    ...ofWithdrawal,
    reason,
    errorCode: errorCode.optional(),
    providerPayoutId: providerPayoutId.optional(),
  }),
});

export const withdrawalCanceled = message({
  ...publicMessage,
  type: 'withdrawal.canceled',
  summary: 'The withdrawal was canceled; the amount is available again.',
  payload: z.strictObject({
    ...ofWithdrawal,
    canceledBy: z.string().meta({ example: 'key_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
    reason: reason.optional(),
    refundedToBalance: z.boolean().meta({ description: 'Whether the amount is available again', example: true }),
    newAvailableBalance: amountOut.optional(),
  }),
});

export const withdrawalReserveRequested = message({
  ...internalMessage,
  type: 'withdrawal.reserve_requested',
  summary: "Reserve the withdrawal's amount.",
  payload: z.strictObject(withCurrency),
});

export const withdrawalAbortRequested = message({
  ...internalMessage,
  type: 'withdrawal.abort_requested',
  summary: 'The saga run is past its deadline: refuse its command from now on, unless it was handled.',
  payload: z.strictObject({
    ...withCurrency,
    commandId: id('evt').meta({ description: 'The command of payments that started the run' }),
  }),
});

/** How a payout reached its destination. */
export const payoutMethods = ['payment_provider', 'ledger_network'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];

export const withdrawalDeductRequested = message({
  ...internalMessage,
  type: 'withdrawal.deduct_requested',
  summary: 'The withdrawal was paid out: deduct the reserved amount.',
  payload: z.strictObject({ ...withCurrency, method: z.enum(payoutMethods) }),
});

export const withdrawalFreeRequested = message({
  ...internalMessage,
  type: 'withdrawal.free_requested',
  summary: 'The withdrawal failed or was canceled: free the reserved amount.',
  payload: z.strictObject(withCurrency),
});

export const withdrawalLedgerPayoutRequested = message({
  ...internalMessage,
  type: 'withdrawal.ledger_payout_requested',
  summary: 'Pay the amount to an address on the ledger network; USD is paid as USDC.',
  payload: z.strictObject({ ...withCurrency, address }),
});

export const withdrawalLedgerPayoutLanded = message({
  ...adapterMessage,
  type: 'withdrawal.ledger_payout_landed',
  summary: 'The payment to the address is final on the ledger network.',
  payload: z.strictObject({
    ...withCurrency,
    address,
    transactionHash: z.string().meta({ example: '3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889' }),
  }),
});

export const withdrawalLedgerPayoutFailed = message({
  ...adapterMessage,
  type: 'withdrawal.ledger_payout_failed',
  summary: 'The payment to the address failed for good; no money left.',
  payload: z.strictObject({ ...withCurrency, address, reason, errorCode: errorCode.optional() }),
});

export const withdrawalMessages = [
  withdrawalCreated,
  withdrawalCommitted,
  withdrawalPending,
  withdrawalPendingUserAction,
  withdrawalCompleted,
  withdrawalFailed,
  withdrawalCanceled,
  withdrawalReserveRequested,
  withdrawalAbortRequested,
  withdrawalDeductRequested,
  withdrawalFreeRequested,
  withdrawalLedgerPayoutRequested,
  withdrawalLedgerPayoutLanded,
  withdrawalLedgerPayoutFailed,
] as const;
