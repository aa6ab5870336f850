import { readConfig } from '@holdfast/shared/config';
import { existingServices, services } from '@holdfast/shared/contracts/services';
import { settings, serviceUrlsOf } from './config.js';

describe('the settings of the gateway', () => {
  it('lead to every service that exists, by default on its own port', () => {
    const urls = serviceUrlsOf(readConfig(settings, { MASTER_KEY: 'm', INTERNAL_SECRET: 'i' }));
    expect(urls).toEqual(Object.fromEntries(existingServices.map((name) => [name, `http://127.0.0.1:${services[name].port}`])));
  });
});
