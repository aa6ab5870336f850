import { listSettings, readConfig } from '@holdfast/process/config';
import { settings } from './config.js';

const long = 'a-secret-of-at-least-32-characters';

describe('DISPUTE_PERIOD_MIN', () => {
  it('is an hour unless it is set to another duration', () => {
    expect(readConfig(settings, {}).DISPUTE_PERIOD_MIN).toBe('PT1H');
    expect(readConfig(settings, { DISPUTE_PERIOD_MIN: 'PT1S' }).DISPUTE_PERIOD_MIN).toBe('PT1S');
    expect(() => readConfig(settings, { DISPUTE_PERIOD_MIN: '1h' })).toThrow(
      /DISPUTE_PERIOD_MIN is "1h"; expected an ISO 8601 duration/,
    );
  });
});

describe('LOGIN_TOKEN_SECRETS', () => {
  it('may contain several secrets, separated by spaces', () => {
    for (const text of [long, `${long} ${long}-2`, ` ${long}  ${long}-2 `]) {
      expect(readConfig(settings, { LOGIN_TOKEN_SECRETS: text }).LOGIN_TOKEN_SECRETS).toBe(text);
    }
    expect(readConfig(settings, {}).LOGIN_TOKEN_SECRETS).toBeUndefined();
  });

  it('stops the start if one of them is short, and shows none of them', () => {
    for (const text of ['short', `${long} short`, `${long},short ${'x'.repeat(31)}`]) {
      const read = () => readConfig(settings, { LOGIN_TOKEN_SECRETS: text });
      expect(read).toThrow(/LOGIN_TOKEN_SECRETS is not valid; expected secrets of at least 32 characters each/);
      expect(read).not.toThrow(/a-secret-of|short|xxx/);
    }
    expect(listSettings(settings).find(({ name }) => name === 'LOGIN_TOKEN_SECRETS')).toMatchObject({ isSecret: true });
  });
});
