import { isUnavailable } from './index.js';

describe('isUnavailable', () => {
  it.each(['ENOENT', 'EAGAIN'])('is true of a socket that answers %s', (code) => {
    const refused = Object.assign(new Error(`connect ${code} /folder/.s.PGSQL.5432`), { code, syscall: 'connect' });
    expect(isUnavailable(refused)).toBe(true);
    expect(isUnavailable(new Error('no connection', { cause: refused }))).toBe(true);
  });

  it('is false of a file that is missing', () => {
    expect(isUnavailable(Object.assign(new Error('open ENOENT /folder/file'), { code: 'ENOENT', syscall: 'open' }))).toBe(false);
  });
});
