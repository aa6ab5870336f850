import { listSettings, readConfig } from '@holdfast/process/config';
import { settings } from './config.js';

const long = 'a-secret-of-at-least-32-characters';

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
