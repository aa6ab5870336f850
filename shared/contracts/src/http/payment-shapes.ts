import { z } from 'zod';
import { amountOut, currency, id, instant } from '../shapes/index.js';

export const topupStatuses = [
  'TOPUP_CREATED',
  'TOPUP_AWAITING_USER_CONFIRMATION',
  'TOPUP_PROCESSING',
  'TOPUP_SUCCEEDED',
  'TOPUP_FAILED',
  'TOPUP_CANCELED',
] as const;
export type TopupStatus = (typeof topupStatuses)[number];

export const withdrawalStatuses = [
  'WITHDRAWAL_CREATED',
  'WITHDRAWAL_COMMITTED',
  'WITHDRAWAL_PENDING',
  'WITHDRAWAL_PENDING_USER_ACTION',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_FAILED',
  'WITHDRAWAL_CANCELED',
] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

export const destinationTypes = ['bank', 'ledger', 'payment_account'] as const;
export type DestinationType = (typeof destinationTypes)[number];

const textOrNull = z.string().nullable();
const failure = {
  failureReason: textOrNull.meta({ description: 'Null unless it failed' }),
  errorCode: textOrNull.meta({ description: 'Error code of the provider; null if there is none' }),
};

export const topup = z
  .object({
    id: id('topup'),
    userId: id('usr'),
    amount: amountOut,
    currency,
    status: z.enum(topupStatuses),
    description: textOrNull,
    providerPayinId: textOrNull.meta({ description: 'Id at the payment provider; null until assigned' }),
    confirmationUri: textOrNull.meta({ description: 'Where the user confirms the payment; null if no confirmation is required' }),
    expiresAt: instant.nullable().meta({ description: 'Deadline for the confirmation' }),
    ...failure,
    metadata: z.record(z.string(), z.unknown()),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'TopUp',
    example: {
      id: 'topup_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      userId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      amount: '50.00',
      currency: 'USD',
      status: 'TOPUP_AWAITING_USER_CONFIRMATION',
      description: null,
      providerPayinId: 'payin-7',
      confirmationUri: 'https://pay.example/confirm/payin-7',
      expiresAt: '2026-01-31T13:00:00.123456Z',
      failureReason: null,
      errorCode: null,
      metadata: {},
      createdAt: '2026-01-31T12:00:00.123456Z',
      updatedAt: '2026-01-31T12:00:00.654321Z',
    },
  });
export type TopupRecord = z.infer<typeof topup>;

export const withdrawal = z
  .object({
    id: id('wd'),
    userId: id('usr'),
    amount: amountOut,
    fee: amountOut.meta({ description: 'Fee charged to the user' }),
    currency,
    status: z.enum(withdrawalStatuses),
    destinationType: z.enum(destinationTypes),
    destinationRef: z.string().meta({ description: 'Account or address that receives the money' }),
    description: textOrNull,
    providerPayoutId: textOrNull.meta({ description: 'Id at the payment provider; null until assigned' }),
    ...failure,
    createdAt: instant,
    updatedAt: instant,
    completedAt: instant.nullable().meta({ description: 'Null until the status is WITHDRAWAL_COMPLETED' }),
  })
  .meta({
    id: 'Withdrawal',
    example: {
      id: 'wd_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      userId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      amount: '40.00',
      fee: '0.00',
      currency: 'USD',
      status: 'WITHDRAWAL_CREATED',
      destinationType: 'bank',
      destinationRef: 'account-7',
      description: null,
      providerPayoutId: null,
      failureReason: null,
      errorCode: null,
      createdAt: '2026-01-31T12:00:00.123456Z',
      updatedAt: '2026-01-31T12:00:00.123456Z',
      completedAt: null,
    },
  });
export type WithdrawalRecord = z.infer<typeof withdrawal>;

export const paymentAccountLink = z
  .object({
    userId: id('usr'),
    paymentAccountUserId: z.string().meta({ description: "The user's id at the payment provider", example: 'account-user-7' }),
    linkedAt: instant,
    eligible: z.boolean().meta({ description: 'Whether the account can be used for top-ups and withdrawals' }),
    email: z.string().nullable().meta({ example: 'ada@example.com' }),
  })
  .meta({ id: 'PaymentAccountLink' });
export type PaymentAccountLinkRecord = z.infer<typeof paymentAccountLink>;
