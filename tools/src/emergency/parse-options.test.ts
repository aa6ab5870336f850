import { parseEmergencyOptions } from './parse-options.js';

describe('the options of npm run emergency', () => {
  it('name the person and the reason of a change', () => {
    for (const command of ['stop', 'resume'] as const)
      expect(parseEmergencyOptions([command, '--by', 'Ada', '--reason', 'a key has leaked'])).toEqual({
        command,
        by: 'Ada',
        reason: 'a key has leaked',
      });
    expect(parseEmergencyOptions(['status'])).toEqual({ command: 'status' });
  });

  it.each([
    [[], /Say stop, resume or status/],
    [['pause'], /Say stop, resume or status/],
    [['stop', '--reason', 'x'], /--by is missing/],
    [['stop', '--by', ' ', '--reason', 'x'], /--by is missing/],
    [['resume', '--by', 'Ada'], /--reason is missing/],
    [['stop', '--by', 'Ada', '--why', 'x'], /Only --by and --reason/],
    [['status', '--by', 'Ada'], /takes no options/],
  ])('%j are refused', (args, reason) => {
    expect(parseEmergencyOptions(args)).toMatch(reason);
  });
});
