import { ConfigError } from '@holdfast/process/config';
import { AppError } from '@holdfast/kernel/errors';
import { CannotStart } from './data-folder/index.js';
import { explain } from './explain.js';

describe('the explanation of an error', () => {
  it('is one sentence for a fault that a person can correct', () => {
    expect(explain(new CannotStart('The door is shut.', { cause: new Error('EACCES') }))).toBe('The door is shut.');
    expect(explain(new ConfigError(['PORT is "x"']))).toBe('The settings cannot be used:\n  - PORT is "x"');
  });

  it('lists the causes of an external failure', () => {
    const cause = new Error('connect ECONNREFUSED', { cause: new Error('the port is closed') });
    expect(explain(new Error('Postgres did not start.', { cause }))).toBe(
      'Postgres did not start.\n  because: connect ECONNREFUSED\n  because: the port is closed',
    );
    expect(explain(new AppError('SERVICE_UNAVAILABLE', {}, { cause }))).toMatch(/\(the port is closed\)$/);
  });

  it('is the stack of a bug', () => {
    expect(explain(new TypeError('x is not a function'))).toMatch(/^TypeError: x is not a function\n +at /);
    expect(explain('thrown text')).toBe('thrown text');
  });
});
