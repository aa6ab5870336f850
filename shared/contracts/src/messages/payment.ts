import { z } from 'zod';
import { amountOut, currency, id, opaqueId } from '../shapes/index.js';
import { message } from './message.js';

const ledgerMessage = { version: 1, visibility: 'internal', publisher: 'payments' } as const;
const money = { userId: id('usr'), amount: amountOut, currency };

export const topupPaymentReceived = message({
  ...ledgerMessage,
  aggregateType: 'TopUp',
  type: 'topup.payment_received',
  summary: 'The payment provider received the top-up: credit the user.',
  payload: z.strictObject({ topupId: opaqueId, ...money }),
});

const withdrawalMessage = { ...ledgerMessage, aggregateType: 'Withdrawal' } as const;
const ofWithdrawal = z.strictObject({ withdrawalId: opaqueId, ...money });

export const withdrawalHoldRequested = message({
  ...withdrawalMessage,
  type: 'withdrawal.hold_requested',
  summary: "Reserve the withdrawal's amount.",
  payload: ofWithdrawal,
});

export const withdrawalPaidOut = message({
  ...withdrawalMessage,
  type: 'withdrawal.paid_out',
  summary: 'The withdrawal was paid out: deduct the reserved amount.',
  payload: ofWithdrawal,
});

export const withdrawalCalledOff = message({
  ...withdrawalMessage,
  type: 'withdrawal.called_off',
  summary: 'The withdrawal failed or was canceled: release the reserved amount.',
  payload: ofWithdrawal,
});

export const paymentMessages = [topupPaymentReceived, withdrawalHoldRequested, withdrawalPaidOut, withdrawalCalledOff] as const;
