import { z } from 'zod';
import { isAmount } from '@holdfast/kernel/money';
import { amountForm, amountIn, currency, freeText, opaqueId, textMax } from '../shapes/index.js';
import { destinationTypes, type DestinationType } from './payment-shapes.js';

const reference = freeText(textMax.reference).min(1);
const ledgerAddress = z.string().regex(/^G[A-Z2-7]{55}$/, 'must be a public key of the ledger network');

const destination = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('bank'), accountRef: reference.meta({ example: 'account-7' }) }),
    z.strictObject({ type: z.literal('ledger'), address: ledgerAddress.meta({ example: `G${'A'.repeat(55)}` }) }),
    z.strictObject({ type: z.literal('payment_account') }).meta({ description: 'The linked payment account of the user' }),
  ])
  .meta({ description: 'Destination of the payout', example: { type: 'bank', accountRef: 'account-7' } });

const given = z.strictObject({
  userId: opaqueId('usr').meta({ description: 'User whose balance is debited' }),
  amount: amountIn(7).meta({
    description: 'Decimal string above zero with up to 2 decimal places; USDC and XLM with up to 7',
    example: '40.00',
  }),
  currency,
  destination: destination.optional(),
  destinationType: z
    .enum(destinationTypes)
    .optional()
    .meta({ description: 'With `destinationRef`, an alternative to `destination`' }),
  destinationRef: reference.optional().meta({ description: 'Account or address, with `destinationType`' }),
  commit: z.boolean().default(false).meta({ description: 'Commit the withdrawal immediately', example: false }),
  description: freeText(textMax.description).optional(),
});
type Given = z.output<typeof given>;
type Fault = { readonly path: readonly string[]; readonly message: string };

export type WithdrawalDestination = { readonly type: DestinationType; readonly ref: string | null };

/** Both forms of a destination as one type. The ref of `payment_account` is null: it means the linked account of the user. */
export const withdrawalBody = given
  .superRefine(
    (body, issues) => {
      for (const { path, message } of faultsOf(body)) issues.addIssue({ code: 'custom', path: [...path], message });
    },
    { when: ({ issues }) => issues.length === 0 },
  )
  .meta({
    example: {
      userId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      amount: '40.00',
      currency: 'USD',
      destination: { type: 'bank', accountRef: 'account-7' },
    },
  })
  .transform(({ destinationType, destinationRef, ...body }) => ({
    ...body,
    destination: toDestination({ ...body, destinationType, destinationRef }),
  }));

function faultsOf(body: Given): readonly Fault[] {
  return [...formFaults(body), ...moneyFaults(body)];
}

function formFaults(body: Given): readonly Fault[] {
  const { destination: nested, destinationType, destinationRef } = body;
  if (nested === undefined) return flatFaults(body);
  if (destinationType === undefined && destinationRef === undefined) return [];
  return [{ path: ['destination'], message: 'must not be given together with destinationType or destinationRef' }];
}

function flatFaults({ destinationType, destinationRef }: Given): readonly Fault[] {
  if (destinationType === undefined) return [{ path: ['destination'], message: 'is missing' }];
  if (destinationType === 'payment_account') return [];
  if (destinationRef === undefined) return [{ path: ['destinationRef'], message: 'is missing' }];
  const fault = destinationType === 'ledger' ? ledgerAddress.safeParse(destinationRef).error?.issues[0]?.message : undefined;
  return fault === undefined ? [] : [{ path: ['destinationRef'], message: fault }];
}

function moneyFaults(body: Given): readonly Fault[] {
  const type = body.destination?.type ?? body.destinationType;
  // USDC and XLM have all seven decimal places, so that any on-chain balance can be withdrawn completely.
  const placesMax = body.currency === 'USD' ? 2 : 7;
  const places = isAmount(body.amount, placesMax) ? [] : [{ path: ['amount'], message: amountForm(7) }];
  if (type === undefined || type === 'ledger' || body.currency === 'USD') return places;
  return [...places, { path: ['currency'], message: `must be USD for ${type}` }];
}

function toDestination({ destination: nested, destinationType, destinationRef }: Given): WithdrawalDestination {
  if (nested?.type === 'bank') return { type: 'bank', ref: nested.accountRef };
  if (nested?.type === 'ledger') return { type: 'ledger', ref: nested.address };
  const type = nested?.type ?? destinationType ?? 'payment_account';
  return { type, ref: type === 'payment_account' ? null : (destinationRef ?? null) };
}
