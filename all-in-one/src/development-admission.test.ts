import { admissionSettings } from '@holdfast/gateway';
import { readConfig } from '@holdfast/process/config';
import { developmentSettings, readDevelopmentAdmission } from './development-admission.js';

describe('the rate limit of npm start', () => {
  it('is 1,000 in 60 s without a setting, where a gateway has 100', () => {
    const limit = { rateLimitMax: 1_000, rateLimitWindowSeconds: 60 };
    expect(readDevelopmentAdmission({}, '127.0.0.1')).toMatchObject(limit);
    expect(readDevelopmentAdmission({ RATE_LIMIT_MAX: ' ' }, '127.0.0.1')).toMatchObject(limit);
    expect(readConfig(admissionSettings, {})).toMatchObject({ rateLimitMax: 100 });
  });

  it('is RATE_LIMIT_MAX where it is set', () => {
    expect(readDevelopmentAdmission({ RATE_LIMIT_MAX: '7' }, '127.0.0.1')).toMatchObject({ rateLimitMax: 7 });
    expect(readDevelopmentAdmission({ RATE_LIMIT_MAX: '0' }, '127.0.0.1')).toMatchObject({ rateLimitMax: 0 });
  });
});

describe('the webhooks of npm start', () => {
  it('may go to loopback, but not in production', () => {
    expect(developmentSettings({})).toHaveProperty('WEBHOOK_ALLOWED_NETWORKS', '127.0.0.0/8,::1/128');
    expect(developmentSettings({ NODE_ENV: 'production' })).not.toHaveProperty('WEBHOOK_ALLOWED_NETWORKS');
  });
});
