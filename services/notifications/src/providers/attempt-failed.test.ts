import { connectFailure, requestFailure } from './attempt-failed.js';

const errorWith = (fields: object): Error => Object.assign(new Error('x'), fields);

describe('the outcome of a fault that no test can provoke in every version of Node', () => {
  it.each([
    [{ code: 'ETIMEDOUT', syscall: 'connect' }, 'TIMEOUT'],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }, 'CONNECT'],
    [{ code: 'ECONNRESET' }, 'CONNECT'],
    [{ code: 'EPROTO', syscall: 'write' }, 'TLS'],
    [{ code: 'CERT_HAS_EXPIRED' }, 'TLS'],
    [{}, 'TLS'],
  ])('while connecting: %j is %s', (fields, outcome) => {
    expect(connectFailure(errorWith(fields), 'https:')).toMatchObject({ outcome });
  });

  it.each([
    [{ code: 'EPIPE', syscall: 'write' }, 'CONNECT'],
    [{ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }, 'TLS'],
    [{ code: 'EPROTO', syscall: 'read' }, 'TLS'],
    [{}, 'RESPONSE'],
  ])('later: %j is %s', (fields, outcome) => {
    expect(requestFailure(errorWith(fields))).toMatchObject({ outcome });
  });

  it('while connecting without TLS is CONNECT', () => {
    expect(connectFailure(errorWith({}), 'http:')).toMatchObject({ outcome: 'CONNECT' });
  });
});
