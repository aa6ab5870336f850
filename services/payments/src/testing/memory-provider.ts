import type { PayinUpdate, PayoutUpdate } from '../domain/provider-updates.js';
import { ProviderRefused, type PaymentProvider, type ProviderUser } from '../use-cases/provider-ports.js';
import { notInMemory } from './memory-stores.js';

type Operation = 'findUser' | 'createPayin' | 'findPayin' | 'cancelPayin' | 'createPayout' | 'commitPayout' | 'findPayout';

/** The payment provider in memory: pay-ins and payouts by id, with one per code. */
export type MemoryProvider = PaymentProvider & {
  /** By e-mail address. */
  readonly users: Map<string, ProviderUser>;
  readonly payinOf: (code: string) => PayinUpdate | undefined;
  readonly payoutOf: (code: string) => PayoutUpdate | undefined;
  /** What the user or the provider does with a payment. */
  readonly movePayin: (code: string, change: Partial<PayinUpdate>) => void;
  readonly movePayout: (code: string, change: Partial<PayoutUpdate>) => void;
  /** The next call fails with the error, without or after its effect. */
  readonly failNext: (operation: Operation, error: Error, when: 'before' | 'after') => void;
};

type Fault = { readonly error: Error; readonly when: 'before' | 'after' };

export function memoryProvider(): MemoryProvider {
  const users = new Map<string, ProviderUser>();
  const payins = new Map<string, PayinUpdate>();
  const payouts = new Map<string, PayoutUpdate>();
  const faults = new Map<Operation, Fault>();
  const call = async <Result>(operation: Operation, work: () => Result): Promise<Result> => {
    const fault = faults.get(operation);
    faults.delete(operation);
    if (fault?.when === 'before') throw fault.error;
    const result = work();
    if (fault !== undefined) throw fault.error;
    return result;
  };
  return {
    users,
    payinOf: (code) => ofCode(payins, code),
    payoutOf: (code) => ofCode(payouts, code),
    movePayin: (code, change) => move(payins, requireOf(payins, code), change),
    movePayout: (code, change) => move(payouts, requireOf(payouts, code), change),
    failNext: (operation, error, when) => void faults.set(operation, { error, when }),
    findUser: (email) => call('findUser', () => users.get(email)),
    createPayin: ({ code, amount }) =>
      call('createPayin', () => {
        const providerId = `payin-${payins.size + 1}`;
        const confirmationUri = `https://provider.example/checkout/${providerId}`;
        return create(payins, { providerId, code, amount, reason: null, outcome: 'open', confirmationUri });
      }),
    findPayin: (id) => call('findPayin', () => payins.get(id)),
    findPayinByCode: (code) => call('findPayin', () => ofCode(payins, code)),
    cancelPayin: (id) => call('cancelPayin', () => moveFrom(payins, id, 'open', 'canceled')),
    createPayout: ({ code, amount }) =>
      call('createPayout', () => {
        const providerId = `payout-${payouts.size + 1}`;
        return create(payouts, { providerId, code, amount, reason: null, outcome: 'created' });
      }),
    commitPayout: (id) => call('commitPayout', () => moveFrom(payouts, id, 'created', 'pending')),
    findPayout: (id) => call('findPayout', () => payouts.get(id)),
    findPayoutByCode: (code) => call('findPayout', () => ofCode(payouts, code)),
    cancelPayout: async (id) => moveFrom(payouts, id, 'created', 'canceled'),
    balance: notInMemory('balance'),
    statement: notInMemory('statement'),
    close: () => Promise.resolve(),
  };
}

type Payment = PayinUpdate | PayoutUpdate;

function ofCode<P extends Payment>(payments: ReadonlyMap<string, P>, code: string): P | undefined {
  return [...payments.values()].find((payment) => payment.code === code);
}

function requireOf<P extends Payment>(payments: ReadonlyMap<string, P>, code: string): P {
  const payment = ofCode(payments, code);
  if (payment === undefined) throw new Error(`The provider has no payment ${code}.`);
  return payment;
}

function create<P extends Payment>(payments: Map<string, P>, payment: P): P {
  if (ofCode(payments, payment.code ?? '') !== undefined) throw new ProviderRefused('duplicate', 'The code exists.');
  payments.set(payment.providerId, payment);
  return payment;
}

function move<P extends Payment>(payments: Map<string, P>, payment: P, change: Partial<P>): void {
  payments.set(payment.providerId, { ...payment, ...change });
}

function moveFrom<P extends Payment>(payments: Map<string, P>, id: string, from: P['outcome'], outcome: P['outcome']): void {
  const payment = payments.get(id);
  if (payment?.outcome !== from) throw new ProviderRefused('status', `The payment is ${payment?.outcome ?? 'unknown'}.`);
  payments.set(id, { ...payment, outcome });
}
