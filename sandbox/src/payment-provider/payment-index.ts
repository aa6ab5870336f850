import type { Records, TableName } from '../store/records.js';

/** Payins and payouts by code. An in-memory index that is rebuilt from the store at each start. */
export type PaymentIndex = {
  readonly add: <Name extends TableName>(table: Name, value: Records[Name]) => void;
  readonly payinWithCode: (code: string) => string | undefined;
  readonly payoutWithCode: (code: string) => string | undefined;
};

export function createPaymentIndex(): PaymentIndex {
  const payins = new Map<string, string>();
  const payouts = new Map<string, string>();
  return {
    add: (table, value) => {
      if (table === 'payins' && 'code' in value && value.code !== undefined) payins.set(value.code, value.id);
      if (table === 'payouts' && 'code' in value && value.code !== undefined) payouts.set(value.code, value.id);
    },
    payinWithCode: (code) => payins.get(code),
    payoutWithCode: (code) => payouts.get(code),
  };
}
