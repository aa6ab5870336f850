import { readConfig } from '@holdfast/service-host/config';
import { existingServices, services } from '@holdfast/contracts/services';
import { admissionSettings, settings, serviceUrlsOf } from './config.js';

const needed = { MASTER_KEY: 'm', INTERNAL_SECRET: 'i', DATABASE_URL: 'postgres://here', AMQP_URL: 'amqp://here' };

describe('the settings of the gateway', () => {
  it('lead to every service that exists, by default on its own port', () => {
    const urls = serviceUrlsOf(readConfig(settings, needed));
    expect(urls).toEqual(Object.fromEntries(existingServices.map((name) => [name, `http://127.0.0.1:${services[name].port}`])));
  });

  it('have the limits of orders by the names that orders knows', () => {
    const read = readConfig(admissionSettings, { ORDER_AMOUNT_MIN: '2.00', ORDER_AMOUNT_MAX: '700' });
    expect([read.orderAmountMin, read.orderAmountMax]).toEqual(['2.00', '700']);
  });
});
