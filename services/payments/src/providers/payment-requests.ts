import { formatMoney, type Money } from '@holdfast/kernel/money';
import type { NewPayin, NewPayout } from '../use-cases/provider-ports.js';

const descriptionLengthMax = 250;

/** The provider compares the amount with the sum of the items. */
export function payinRequest({ code, amount, description: text, confirmationUri, cancelUri }: NewPayin) {
  const description = text.slice(0, descriptionLengthMax);
  const items = [{ description, amount: toNumber(amount), quantity: 1 }];
  return { code, amount: toNumber(amount), description, items, confirmationUri, cancelUri };
}

export function payoutRequest({ code, email, amount, notes, internalNote }: NewPayout) {
  const note = internalNote === null ? {} : { internalNote };
  return { code, airtmUserEmail: email, amount: toNumber(amount), notes, ...note, commit: false };
}

/** The provider's API takes numbers; an amount in cents has fewer digits than a number represents exactly. */
function toNumber(amount: Money): number {
  return Number(formatMoney(amount));
}
