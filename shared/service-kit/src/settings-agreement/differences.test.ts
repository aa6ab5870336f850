import { sandboxPassphrase } from '@holdfast/process/config';
import { differencesBetween } from './differences.js';
import { sharedValuesOf } from './shared-settings.js';

const orders = {
  service: 'orders',
  settings: { SAGA_ABORT_AFTER_MS: '600000', ORDER_AMOUNT_MAX: '50000.00', INTERNAL_SECRET: 'a' },
};

describe('settings that processes share', () => {
  it('agree where both have them, and where only one does', () => {
    expect(
      differencesBetween(orders, [orders, { service: 'gateway', settings: { ORDER_AMOUNT_MAX: '50000.00', PUBLIC_URL: 'x' } }]),
    ).toEqual([]);
  });

  it('differ once per setting and service, whether refused or only reported', () => {
    const adapter = { service: 'escrow-adapter', settings: { SAGA_ABORT_AFTER_MS: '1' } };
    const gateway = { service: 'gateway', settings: { ORDER_AMOUNT_MAX: '1.00' } };
    expect(differencesBetween(orders, [adapter, adapter, gateway])).toEqual([
      {
        setting: 'SAGA_ABORT_AFTER_MS',
        service: 'escrow-adapter',
        isRefused: true,
        text: 'SAGA_ABORT_AFTER_MS differs from that of a running process of escrow-adapter: "600000" here, "1" there',
      },
      {
        setting: 'ORDER_AMOUNT_MAX',
        service: 'gateway',
        isRefused: false,
        text: 'ORDER_AMOUNT_MAX differs from that of a running process of gateway: "50000.00" here, "1.00" there',
      },
    ]);
  });

  it('do not show secrets, and ignore settings that this version does not compare', () => {
    const other = { service: 'payments', settings: { INTERNAL_SECRET: 'b', NEWER_SETTING: '1' } };
    const own = { ...orders, settings: { ...orders.settings, NEWER_SETTING: '2' } };
    expect(differencesBetween(own, [other]).map(({ text }) => text)).toEqual([
      'INTERNAL_SECRET differs from that of a running process of payments',
    ]);
  });

  it.each([
    ['14999', 1],
    ['15000', 1],
    ['15001', 0],
  ])('include a gateway that waits %s ms for a settlement of 15000 ms', (proxyMs, count) => {
    const gateway = { service: 'gateway', settings: { PROXY_TIMEOUT_MS: proxyMs } };
    const payments = { service: 'payments', settings: { SETTLEMENT_TIMEOUT_MS: '15000' } };
    for (const [own, other] of [
      [gateway, payments],
      [payments, gateway],
    ] as const) {
      const found = differencesBetween(own, [other]);
      expect(found).toHaveLength(count);
      expect(found.every(({ isRefused }) => !isRefused)).toBe(true);
    }
  });
});

describe('the compared values of a process', () => {
  it('are those of shared settings, with the defaults that follow from others', () => {
    const config = { port: 1, orderAmountMax: '5.00', ESCROW_CURRENCIES: ['USD', 'XLM'], SETTLEMENT_TIMEOUT_MS: undefined };
    expect(sharedValuesOf({ ...config, LEDGER_NETWORK_PASSPHRASE: undefined })).toEqual({
      ORDER_AMOUNT_MAX: '5.00',
      ESCROW_CURRENCIES: 'USD,XLM',
      SETTLEMENT_TIMEOUT_MS: '15000',
      LEDGER_NETWORK_PASSPHRASE: sandboxPassphrase,
    });
    expect(sharedValuesOf({ ...config, LEDGER_NETWORK_PASSPHRASE: 'other' })).toMatchObject({ SETTLEMENT_TIMEOUT_MS: '60000' });
  });
});
