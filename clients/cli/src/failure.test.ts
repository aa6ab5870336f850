import { CommanderError, InvalidArgumentError } from 'commander';
import { CannotStart } from '@holdfast/all-in-one/commands';
import { HoldfastError } from '@holdfast/sdk';
import { toFailure } from './failure.js';

const refusal = (code: ConstructorParameters<typeof HoldfastError>[1]['code'], details = {}) =>
  new HoldfastError('No.', { code, status: 400, details, requestId: 'request-7' });

describe('what a person reads after a failure', () => {
  it.each([
    ['UNAUTHORIZED', 'npm run key'],
    ['INSUFFICIENT_SCOPE', 'holdfast keys create'],
    ['CONNECTION_FAILED', 'npm start'],
    ['ORDER_NOT_FOUND', '"list" shows those there are'],
    ['OUTCOME_UNKNOWN', 'look at the record before you repeat'],
  ] as const)('%s says what to do next', (code, advice) => {
    const { exitCode, text } = toFailure(refusal(code));
    expect([exitCode, text]).toEqual([1, expect.stringContaining(advice)]);
    expect(text).toMatch(/^[A-Z_]+: No\.\n {2}request {3}request-7\n/);
  });

  it('shows details, without the request id that has its own line', () => {
    expect(toFailure(refusal('INVALID_STATE', { status: 'CLOSED', requestId: 'request-7' })).text).toContain(
      'details   {"status":"CLOSED"}',
    );
  });

  it('has everything of a refusal in its JSON', () => {
    const error = { code: 'LIMIT_EXCEEDED', message: 'No.', status: 400, details: { max: '5' }, requestId: 'request-7' };
    expect(toFailure(refusal('LIMIT_EXCEEDED', { max: '5' })).error).toEqual(error);
  });

  it('is a wrong use with exit code 2; help is none', () => {
    expect(toFailure(new CommanderError(1, 'commander.unknownOption', 'error: …'))).toMatchObject({ exitCode: 2, text: '' });
    expect(toFailure(new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)'))).toMatchObject({ exitCode: 0 });
    expect(toFailure(new InvalidArgumentError('Say how long ago.'))).toMatchObject({
      exitCode: 2,
      text: 'error: Say how long ago.',
    });
  });

  it('is a sentence for what a person can correct, and a stack for a bug', () => {
    expect(toFailure(new CannotStart('Nothing runs.'))).toMatchObject({ exitCode: 1, text: 'Nothing runs.' });
    expect(toFailure(new TypeError('a bug')).text).toMatch(/TypeError: a bug\n +at /);
  });
});
