import { readConfig } from '@holdfast/process/config';
import { serviceNames, services } from '@holdfast/contracts/services';
import { admissionSettings, settings, serviceUrlsOf } from './config.js';

const requiredSettings = { MASTER_KEY: 'm', INTERNAL_SECRET: 'i', DATABASE_URL: 'postgres://here', AMQP_URL: 'amqp://here' };

describe('the settings of the gateway', () => {
  it('have a URL for every service, by default with its own port', () => {
    const urls = serviceUrlsOf(readConfig(settings, requiredSettings));
    expect(urls).toEqual(Object.fromEntries(serviceNames.map((name) => [name, `http://127.0.0.1:${services[name].port}`])));
  });

  it('read order limits and currencies under the same names as orders does', () => {
    const env = { ORDER_AMOUNT_MIN: '2.00', ORDER_AMOUNT_MAX: '700', ESCROW_CURRENCIES: 'USDC,USD' };
    const read = readConfig(admissionSettings, env);
    expect([read.orderAmountMin, read.orderAmountMax, read.escrowCurrencies]).toEqual(['2.00', '700', ['USD', 'USDC']]);
  });
});
