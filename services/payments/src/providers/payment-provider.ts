import { notBuilt } from '../use-cases/not-built.js';
import type { PaymentProvider } from '../use-cases/provider-port.js';

export type PaymentProviderOptions = { readonly baseUrl: string; readonly key: string; readonly secret: string };

/** The HTTP client of the payment provider. */
export function createPaymentProvider(_options: PaymentProviderOptions): PaymentProvider {
  return {
    findUser: notBuilt,
    createPayin: notBuilt,
    findPayin: notBuilt,
    findPayinByCode: notBuilt,
    cancelPayin: notBuilt,
    createPayout: notBuilt,
    commitPayout: notBuilt,
    findPayout: notBuilt,
    findPayoutByCode: notBuilt,
    cancelPayout: notBuilt,
    statement: notBuilt,
    close: () => Promise.resolve(),
  };
}
