import { z } from 'zod';
import { amountOut, currency, id, instant } from '../shapes/index.js';

const exampleBalance = {
  userId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  available: '80.00',
  reserved: '20.00',
  total: '100.00',
  currency: 'USD',
  updatedAt: '2026-01-31T12:00:00.123456Z',
};

const balanceFields = z.object({
  userId: id('usr'),
  available: amountOut,
  reserved: amountOut,
  total: amountOut,
  currency,
  updatedAt: instant,
});

export const balance = balanceFields.meta({ id: 'Balance', example: exampleBalance });
export type BalanceView = z.infer<typeof balance>;

/** The balance after an operation, and the transfer that changed it. */
export const balanceAfterTransfer = balanceFields
  .extend({ transferId: id('tr') })
  .meta({ id: 'BalanceAfterTransfer', example: { ...exampleBalance, transferId: 'tr_01JB2M3N4P5Q6R7S8T9V0W1X2Y' } });
export type BalanceAfterTransfer = z.infer<typeof balanceAfterTransfer>;

export const balanceSyncResult = z
  .object({
    synced: z.boolean(),
    previousBalance: balance,
    currentBalance: balance,
    discrepancyDetected: z.boolean(),
    adjustment: amountOut.nullable().meta({ description: 'Amount posted by this sync; null if there was no discrepancy' }),
  })
  .meta({
    id: 'BalanceSyncResult',
    example: {
      synced: true,
      previousBalance: exampleBalance,
      currentBalance: { ...exampleBalance, available: '92.50', total: '112.50' },
      discrepancyDetected: true,
      adjustment: '12.50',
    },
  });

export type BalanceSyncView = z.infer<typeof balanceSyncResult>;

export const balanceVerification = z
  .object({
    isValid: z.boolean(),
    offChainBalance: balance,
    onChainBalance: z.object({ address: z.string(), balance: amountOut, asset: z.string() }),
    difference: amountOut.meta({ description: 'On-chain balance minus the balance of the wallet in the ledger' }),
  })
  .meta({
    id: 'BalanceVerification',
    example: {
      isValid: true,
      offChainBalance: exampleBalance,
      onChainBalance: { address: 'GEXAMPLELEDGERADDRESS', balance: '0.00', asset: 'USDC' },
      difference: '0.00',
    },
  });

export type BalanceVerificationView = z.infer<typeof balanceVerification>;

export const transferTypes = [
  'CREDIT',
  'DEBIT',
  'RESERVE',
  'RELEASE',
  'DEDUCT',
  'RESTORE',
  'ESCROW_PAYOUT',
  'TOPUP',
  'DEPOSIT',
  'WITHDRAWAL',
  'RECONCILIATION',
] as const;
export type TransferType = (typeof transferTypes)[number];

export const balanceTransaction = z
  .object({
    id: id('tr'),
    type: z.enum(transferTypes),
    amount: amountOut,
    direction: z.enum(['CREDIT', 'DEBIT']).meta({
      description:
        '`CREDIT`: added to the available balance; `DEBIT`: removed from it. If only the reserved balance changed, added to or removed from that',
    }),
    currency,
    description: z.string().nullable(),
    reference: z.string().nullable(),
    orderId: z.string().nullable(),
    availableChange: amountOut.meta({
      description: 'Signed change of the available balance; the changes of all transactions add up to the balance',
      example: '12.50',
    }),
    reservedChange: amountOut.meta({ description: 'Signed change of the reserved balance', example: '-12.50' }),
    availableAfter: amountOut.meta({ description: 'Available balance after the transaction' }),
    reservedAfter: amountOut.meta({ description: 'Reserved balance after the transaction' }),
    balanceAfter: amountOut.meta({ description: 'The same as `availableAfter`' }),
    createdAt: instant,
  })
  .meta({
    id: 'BalanceTransaction',
    example: {
      id: 'tr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      type: 'CREDIT',
      amount: '12.50',
      direction: 'CREDIT',
      currency: 'USD',
      description: 'Welcome bonus',
      reference: 'invoice-1042',
      orderId: null,
      availableChange: '12.50',
      reservedChange: '0.00',
      availableAfter: '80.00',
      reservedAfter: '20.00',
      balanceAfter: '80.00',
      createdAt: '2026-01-31T12:00:00.123456Z',
    },
  });
export type BalanceTransaction = z.infer<typeof balanceTransaction>;

export const reservationKinds = ['order', 'manual', 'withdrawal'] as const;

export const reservation = z
  .object({
    id: id('res'),
    kind: z.enum(reservationKinds).meta({ description: 'What the amount is reserved for' }),
    orderId: z.string().nullable().meta({ description: 'Null unless the kind is `order`' }),
    amount: amountOut.meta({ description: 'What is still reserved' }),
    currency,
    createdAt: instant,
  })
  .meta({
    id: 'Reservation',
    example: {
      id: 'res_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      kind: 'order',
      orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      amount: '20.00',
      currency: 'USD',
      createdAt: '2026-01-31T12:00:00.123456Z',
    },
  });
export type ReservationRecord = z.infer<typeof reservation>;
