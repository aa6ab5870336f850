import { asCalled } from './run-command.js';

const usage = 'npm run sagas -- list   lists\nnpm run verify-ledger';

describe('a command in a text', () => {
  it('is called by npm on a machine', () => {
    expect(asCalled(usage, '/opt/holdfast/dist/sagas.js')).toBe(usage);
  });

  it('is called by its name in the operator image', () => {
    expect(asCalled(usage, '/app/dist/operator.js')).toBe('operator sagas list   lists\noperator verify-ledger');
  });
});
