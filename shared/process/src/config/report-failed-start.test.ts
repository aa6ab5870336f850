import { collectingLog } from '@holdfast/testing/log';
import { ConfigError } from './read-config.js';
import { reportFailedStart } from './report-failed-start.js';

function reportOf(error: unknown) {
  const printed: string[] = [];
  const log = collectingLog();
  reportFailedStart(error, log, (text) => void printed.push(text));
  return { printed, logged: log.lines.length };
}

describe('a start that failed', () => {
  it('is reported in words where a setting cannot be used', () => {
    const { printed, logged } = reportOf(new ConfigError(['USDC_ISSUER is another one.']));
    expect(printed).toEqual(['The settings cannot be used:\n  - USDC_ISSUER is another one.']);
    expect(logged).toBe(0);
  });

  it('is logged with its error for any other reason', () => {
    expect(reportOf(new Error('EADDRINUSE'))).toEqual({ printed: [], logged: 1 });
  });
});
