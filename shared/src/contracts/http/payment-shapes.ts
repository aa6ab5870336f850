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
  errorCode: textOrNull.meta({ description: "The provider's code of the failure; null where it gave none" }),
};

export const topup = z
  .object({
    id: id('topup'),
    userId: id('usr'),
    amount: amountOut,
    currency,
    status: z.enum(topupStatuses),
    description: textOrNull,
    providerPayinId: textOrNull.meta({ description: "The provider's id of it; null until it has one" }),
    confirmationUri: textOrNull.meta({ description: 'Where the user confirms the payment; null where that is not asked for' }),
    expiresAt: instant.nullable().meta({ description: 'Until when the user can confirm it' }),
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
    fee: amountOut.meta({ description: 'What the user pays for it' }),
    currency,
    status: z.enum(withdrawalStatuses),
    destinationType: z.enum(destinationTypes),
    destinationRef: z.string().meta({ description: 'The account or address that is paid' }),
    description: textOrNull,
    providerPayoutId: textOrNull.meta({ description: "The provider's id of it; null until it has one" }),
    ...failure,
    createdAt: instant,
    updatedAt: instant,
    completedAt: instant.nullable().meta({ description: 'Null until it is WITHDRAWAL_COMPLETED' }),
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
    paymentAccountUserId: z.string().meta({ description: "The provider's id of the account", example: 'account-user-7' }),
    linkedAt: instant,
    eligible: z.boolean().meta({ description: 'Whether it can be paid to and from' }),
    email: z.string().nullable().meta({ example: 'ada@example.com' }),
  })
  .meta({ id: 'PaymentAccountLink' });
export type PaymentAccountLinkRecord = z.infer<typeof paymentAccountLink>;
