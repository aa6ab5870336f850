import { z } from 'zod';
import { durationMsSetting, textSetting } from '@holdfast/process/config';
import { readSettings } from './config.js';

const everyMs = durationMsSetting({ description: 'How often the books are verified.', default: 60_000, min: 100 });
const ofService = z.object({ LEDGER_VERIFY_EVERY_MS: everyMs });

describe('the settings of npm start', () => {
  it('are refused with one report of every bad setting, in all services, and without a secret', () => {
    const bad = { PORT: 'eighty', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://root:hunter2@db', LEDGER_VERIFY_EVERY_MS: '-1' };
    const read = (): unknown => readSettings(bad, [ofService]);
    for (const name of Object.keys(bad)) expect(read).toThrow(name);
    expect(read).not.toThrow('hunter2');
  });

  it('of a service are not required where the program provides them', () => {
    const required = z.object({ LEDGER_RPC_URL: textSetting({ description: 'The URL of the network.' }) });
    expect(() => readSettings({}, [required])).toThrow('LEDGER_RPC_URL');
    expect(() => readSettings({}, [required], ['LEDGER_RPC_URL'])).not.toThrow();
  });
});
