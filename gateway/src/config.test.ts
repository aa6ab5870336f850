import { readConfig } from '@holdfast/service-host/config';
import { existingServices, services } from '@holdfast/contracts/services';
import { admissionSettings, settings, serviceUrlsOf } from './config.js';

const requiredSettings = { MASTER_KEY: 'm', INTERNAL_SECRET: 'i', DATABASE_URL: 'postgres://here', AMQP_URL: 'amqp://here' };

describe('the settings of the gateway', () => {
  it('have a URL for every existing service, by default with its own port', () => {
    const urls = serviceUrlsOf(readConfig(settings, requiredSettings));
    expect(urls).toEqual(Object.fromEntries(existingServices.map((name) => [name, `http://127.0.0.1:${services[name].port}`])));
  });

  it('read the order limits under the same names as orders does', () => {
    const read = readConfig(admissionSettings, { ORDER_AMOUNT_MIN: '2.00', ORDER_AMOUNT_MAX: '700' });
    expect([read.orderAmountMin, read.orderAmountMax]).toEqual(['2.00', '700']);
  });
});
