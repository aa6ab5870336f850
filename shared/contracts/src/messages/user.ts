import { z } from 'zod';
import { id, instant } from '../shapes/index.js';
import { message } from './message.js';

export const userTypes = ['BUYER', 'SELLER', 'BOTH'] as const;
export const userStatuses = ['ACTIVE', 'SUSPENDED'] as const;
/** `INVISIBLE`: the platform holds the key; `EXTERNAL`: the user holds the key. */
export const walletTypes = ['INVISIBLE', 'EXTERNAL'] as const;
export type UserType = (typeof userTypes)[number];
export type UserStatus = (typeof userStatuses)[number];

const userFields = {
  userId: id('usr'),
  externalUserId: z.string().meta({ description: "The marketplace's own id for the user", example: 'customer-7' }),
  email: z.string().meta({ example: 'ada@example.com' }).optional(),
  type: z.enum(userTypes),
  status: z.enum(userStatuses),
};

export const userCreated = message({
  type: 'user.created',
  version: 1,
  visibility: 'public',
  aggregateType: 'User',
  summary: 'A user was created.',
  publisher: 'identity',
  payload: z.strictObject(userFields),
});

export const userChanged = message({
  type: 'user.changed',
  version: 1,
  visibility: 'internal',
  aggregateType: 'User',
  summary: "A user's status, type or e-mail changed.",
  publisher: 'identity',
  acknowledged: true,
  payload: z.strictObject(userFields),
});

export const userLedgerLinked = message({
  type: 'user.ledger_linked',
  version: 1,
  visibility: 'public',
  aggregateType: 'User',
  summary: 'A wallet on the ledger network was created for the user, or the user has linked one.',
  publisher: 'escrow-adapter',
  acknowledged: true,
  payload: z.strictObject({
    userId: id('usr'),
    ledgerAddress: z.string().meta({ example: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' }),
    walletType: z.enum(walletTypes).meta({
      description:
        '`INVISIBLE`: created for the user, who has one; the platform holds its key. `EXTERNAL`: linked by the user, who holds its key; money can be withdrawn to it',
    }),
    linkedAt: instant,
  }),
});

export const userPaymentAccountLinked = message({
  type: 'user.payment_account_linked',
  version: 1,
  visibility: 'public',
  aggregateType: 'User',
  summary: 'The user was linked to an account at the payment provider.',
  publisher: 'payments',
  acknowledged: true,
  payload: z.strictObject({
    userId: id('usr'),
    paymentAccountUserId: z.string().meta({ description: "The user's id at the payment provider", example: 'account-user-7' }),
    linkedAt: instant,
  }),
});

export const userMessages = [userCreated, userChanged, userLedgerLinked, userPaymentAccountLinked] as const;
