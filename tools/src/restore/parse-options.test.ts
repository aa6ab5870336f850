import { parseRestoreOptions } from './parse-options.js';

describe('the options of npm run restore', () => {
  it('name a backup, or the person who accepts what was restored', () => {
    expect(parseRestoreOptions(['/backups/one'])).toEqual({ command: 'restore', folder: '/backups/one' });
    expect(parseRestoreOptions(['--accept', '--by', ' Ada '])).toEqual({ command: 'accept', by: 'Ada' });
  });

  it.each([
    ['nothing', []],
    ['two folders', ['one', 'two']],
    ['a folder with --by', ['one', '--by', 'Ada']],
    ['--accept without a person', ['--accept']],
    ['--accept without a name', ['--accept', '--by', ' ']],
    ['--accept with a folder', ['one', '--accept', '--by', 'Ada']],
    ['an unknown option', ['one', '--force']],
  ])('are refused for %s', (_, args) => {
    expect(typeof parseRestoreOptions(args)).toBe('string');
  });
});
