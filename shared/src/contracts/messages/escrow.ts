import { z } from 'zod';
import { amountOut, currency, id, instant, opaqueId } from '../shapes/index.js';
import { message } from './message.js';

const tellsOfEscrow = { version: 1, aggregateType: 'Escrow', publisher: 'escrow-adapter' } as const;
const ofEscrow = { escrowId: opaqueId, orderId: opaqueId, amount: amountOut, currency };

export const escrowFundingFailed = message({
  ...tellsOfEscrow,
  visibility: 'internal',
  listeners: ['ledger-balance'],
  type: 'escrow.funding_failed',
  summary: 'The contract was not funded: the deduction goes back to the buyer.',
  payload: z.strictObject({
    ...ofEscrow,
    buyerId: id('usr'),
    reason: z.string().meta({ example: 'the provider refused the transaction' }),
  }),
});

export const escrowReleased = message({
  ...tellsOfEscrow,
  visibility: 'public',
  listeners: ['ledger-balance', 'orders'],
  type: 'escrow.released',
  summary: 'The contract paid the seller; the amount is the order amount.',
  payload: z.strictObject({
    ...ofEscrow,
    sellerId: id('usr'),
    platformFee: amountOut,
    netAmount: amountOut,
    releasedAt: instant,
  }),
});

export const escrowRefunded = message({
  ...tellsOfEscrow,
  visibility: 'public',
  listeners: ['ledger-balance', 'orders'],
  type: 'escrow.refunded',
  summary: 'The contract paid the buyer back.',
  payload: z.strictObject({ ...ofEscrow, buyerId: id('usr'), refundedAt: instant }),
});

export const escrowSplit = message({
  ...tellsOfEscrow,
  visibility: 'internal',
  listeners: ['ledger-balance', 'orders'],
  type: 'escrow.split',
  summary: 'The contract was divided between seller and buyer after a dispute.',
  payload: z.strictObject({
    ...ofEscrow,
    sellerId: id('usr'),
    buyerId: id('usr'),
    sellerAmount: amountOut,
    buyerAmount: amountOut,
    platformFee: amountOut,
    resolvedAt: instant,
  }),
});

export const balanceDepositReceived = message({
  version: 1,
  aggregateType: 'Balance',
  publisher: 'escrow-adapter',
  visibility: 'internal',
  listeners: ['ledger-balance'],
  type: 'balance.deposit_received',
  summary: "A payment from outside arrived in a user's wallet; told once per ledger operation.",
  payload: z.strictObject({
    userId: id('usr'),
    amount: amountOut,
    currency,
    operationId: z.string().meta({ example: '123456789012345' }),
  }),
});

export const escrowMessages = [escrowFundingFailed, escrowReleased, escrowRefunded, escrowSplit, balanceDepositReceived] as const;
