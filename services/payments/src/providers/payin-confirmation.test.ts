import { payinConfirmationOf } from './payin-confirmation.js';

const real = 'https://payments.example.com';
const sandbox = 'http://localhost:4000/payment-provider';

describe('pay-ins that only an event has reported', () => {
  it('are confirmed within a minute at a real provider', () => {
    const { afterMs, readAgainMs } = payinConfirmationOf({ PAYMENT_PROVIDER_URL: real, PAYIN_CONFIRMATION_MS: undefined }) ?? {};
    expect([afterMs, readAgainMs]).toEqual([40_000, 5_000]);
  });

  it.each([
    ['at the sandbox', sandbox, undefined],
    ['where the setting turns it off', real, 0],
  ])('are not confirmed %s', (_, PAYMENT_PROVIDER_URL, PAYIN_CONFIRMATION_MS) => {
    expect(payinConfirmationOf({ PAYMENT_PROVIDER_URL, PAYIN_CONFIRMATION_MS })).toBeUndefined();
  });

  it('are confirmed at the sandbox where the setting says so', () => {
    const given = { PAYMENT_PROVIDER_URL: sandbox, PAYIN_CONFIRMATION_MS: 1_600 };
    expect(payinConfirmationOf(given)).toEqual({ afterMs: 1_600, readAgainMs: 200 });
  });
});
