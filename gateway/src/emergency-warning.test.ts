import { createEmergencyWarning } from './emergency-warning.js';

describe('the warning of the emergency stop', () => {
  it('is shown while the stop is on, and stays as it was while identity does not respond', async () => {
    let answer: () => Promise<boolean> = () => Promise.resolve(false);
    const warning = createEmergencyWarning({ isEmergencyStopped: () => answer() });
    await warning.refresh();
    expect(warning.warnings()).toEqual([]);
    answer = () => Promise.resolve(true);
    await warning.job.run(new AbortController().signal);
    expect(warning.warnings()).toEqual([expect.stringContaining('the emergency stop is on')]);
    answer = () => Promise.reject(new Error('no response'));
    await warning.refresh();
    expect(warning.warnings()).toHaveLength(1);
    answer = () => Promise.resolve(false);
    await warning.refresh();
    expect(warning.warnings()).toEqual([]);
  });
});
