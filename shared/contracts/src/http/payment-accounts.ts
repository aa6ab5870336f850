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
      .meta({ description: "The user's id at the payment provider, instead of `email`" }),
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
  name: 'users.linkPaymentAccount',
  method: 'post',
  path: '/users/{id}/payment-account/link',
  params: z.strictObject({ id: id('usr') }),
  malformedParams: 'USER_NOT_FOUND',
  summary: 'Link a payment account',
  description:
    "Links the user to an account at the payment provider, which verifies it. Linking the same account again returns the existing link; a link is never replaced. `details.reason` of PAYMENT_ACCOUNT_INVALID is `unknown`, `inactive`, `unverified`, `mismatch` (the id does not belong to the user's e-mail address) or `no_email`.",
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: account,
  success: { status: 200, data: paymentAccountLink },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'INVALID_STATE', 'PAYMENT_ACCOUNT_INVALID', 'PROVIDER_TIMEOUT'],
});

export const paymentAccountRoutes = { linkPaymentAccount };
