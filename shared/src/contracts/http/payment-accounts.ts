import { z } from 'zod';
import { email, freeText, id, noQuery, textMax } from '../shapes/index.js';
import { paymentAccountLink } from './payment-shapes.js';
import { route } from './route.js';

const account = z
  .strictObject({
    email: email.optional(),
    paymentAccountUserId: freeText(textMax.reference)
      .min(1)
      .optional()
      .meta({ description: "The provider's id, instead of the e-mail" }),
  })
  .superRefine(
    (given, issues) => {
      const isOne = (given.email === undefined) !== (given.paymentAccountUserId === undefined);
      if (!isOne) issues.addIssue({ code: 'custom', path: [], message: 'must have either email or paymentAccountUserId' });
    },
    { when: ({ issues }) => issues.length === 0 },
  );

export const linkPaymentAccount = route({
  service: 'payments',
  family: 'plain',
  name: 'linkPaymentAccount',
  method: 'post',
  path: '/users/{id}/payment-account/link',
  params: z.strictObject({ id: id('usr') }),
  malformedParams: 'USER_NOT_FOUND',
  summary: 'Link the account that a user has at the payment provider',
  description: 'Checked with the provider. The same account again returns the same link.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: account,
  success: { status: 200, data: paymentAccountLink },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'PAYMENT_ACCOUNT_INVALID', 'PROVIDER_TIMEOUT'],
});

export const paymentAccountRoutes = [linkPaymentAccount] as const;
