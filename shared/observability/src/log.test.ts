import { Writable } from 'node:stream';
import { AppError } from '@holdfast/kernel/errors';
import { createLog, type LogLevel } from './index.js';

function capture(options: { readonly level?: LogLevel; readonly pretty?: boolean } = {}) {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const log = createLog({ service: 'orders', level: options.level ?? 'info', pretty: options.pretty ?? false, destination });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') };
}

describe('the log', () => {
  it('writes a fact with its fields as one line of JSON', () => {
    const { log, last, lines } = capture();
    log.info({ orderId: 'ord_1', units: 12n }, 'order moved');
    expect(last()).toMatchObject({ level: 'info', service: 'orders', msg: 'order moved', orderId: 'ord_1', units: '12' });
    expect(lines).toHaveLength(1);
  });

  it('writes no line below its level', () => {
    const { log, lines } = capture({ level: 'warn' });
    log.info({}, 'below the level');
    log.warn({}, 'at the level');
    expect(lines).toHaveLength(1);
  });

  it('has the fields of a child logger on every line', () => {
    const { log, last } = capture();
    const ofRequest = log.child({ requestId: 'r1', orderId: 'ord_1' });
    ofRequest.error({ orderId: 'ord_2' }, 'failed');
    expect(last()).toMatchObject({ level: 'error', requestId: 'r1', orderId: 'ord_2' });
  });

  it('hides secrets in the fields of a child logger', () => {
    const { log, lines } = capture();
    log.child({ requestId: 'r1', authorization: 'Bearer hk_live_secret' }).info({}, 'seen');
    expect(lines.join('')).toContain('r1');
    expect(lines.join('')).not.toContain('hk_live_secret');
  });

  it('is short on a terminal: time, level, service, fact and fields on one line', () => {
    const { log, lines } = capture({ pretty: true });
    log.child({ requestId: 'r1' }).info({ orderId: 'ord_1', status: 200, reason: 'two words', code: undefined }, 'order moved');
    expect(lines).toEqual([
      expect.stringMatching(/^\[[\d:.]+\] INFO: orders: order moved {2}orderId=ord_1 {2}status=200 {2}reason="two words"\n$/),
    ]);
  });

  it('hides secrets on a terminal, too', () => {
    const { log, lines } = capture({ pretty: true });
    log.info({ apiKey: 'hunter22', url: 'postgres://admin:hunter22@db/x' }, 'seen');
    expect(lines.join('')).toMatch(/apiKey=\[hidden\]/);
    expect(lines.join('')).not.toContain('hunter22');
  });

  it('shows the request id of a warning, the causes of its error, and the stack of an error on a terminal', () => {
    const { log, lines } = capture({ pretty: true });
    const error = new Error('request failed', { cause: new Error('connect ECONNREFUSED') });
    log.warn({ requestId: 'r1', error }, 'refused');
    log.error({ requestId: 'r2', error }, 'failed');
    expect(lines[0]).toMatch(/WARN: orders: refused {2}requestId=r1 {2}error="request failed: connect ECONNREFUSED"\n$/);
    expect(lines[1]).toMatch(/ERROR: orders: failed {2}requestId=r2[^]*\n +at .*log\.test/);
  });

  it('writes an error with its code, details and causes', () => {
    const { log, last } = capture();
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    log.error({ error: new AppError('SERVICE_UNAVAILABLE', { part: 'database' }, { cause }) }, 'request failed');
    expect(last().error).toMatchObject({
      type: 'AppError',
      code: 'SERVICE_UNAVAILABLE',
      details: { part: 'database' },
      cause: { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
    });
    expect(last().error.stack).toContain('log.test');
  });
});

describe('secrets in the log', () => {
  const names = [
    'authorization', 'Authorization', 'cookie', 'set-cookie', 'apiKey', 'api_key', 'key', 'MASTER_KEY', 'internalSecret', 'seed',
    'treasurySeed', 'password', 'token', 'accessToken', 'x-holdfast-caller', 'x-escrow-signature', 'privateKey', 'Idempotency-Key',
  ]; // prettier-ignore

  it.each(names)('are hidden in %s at every depth', (name) => {
    const { log, lines } = capture();
    const secret = { [name]: 'hunter22' };
    log.info({ ...secret, request: { headers: secret, list: [{ deep: { deeper: { deepest: secret } } }] } }, 'seen');
    expect(lines.join('')).not.toContain('hunter22');
    expect(lines.join('')).toContain('[hidden]');
  });

  it('are hidden inside errors, causes and objects with toJSON', () => {
    const { log, lines } = capture();
    const error = new Error('outer', { cause: Object.assign(new Error('inner'), { headers: { authorization: 'hunter22' } }) });
    log.error({ error, url: new URL('http://user:hunter22@host/'), odd: { toJSON: () => ({ password: 'hunter22' }) } }, 'failed');
    expect(lines.join('')).not.toContain('hunter22');
  });

  it('are hidden in the login of a URL', () => {
    const { log, last } = capture();
    log.error({ error: new Error('cannot reach postgres://admin:hunter22@db:5432/x') }, 'failed');
    expect(last().error.message).toBe('cannot reach postgres://[hidden]@db:5432/x');
  });

  it('do not affect other fields', () => {
    const { log, last } = capture();
    const fields = { userId: 'usr_1', keyId: 'key_1', tokenType: 'Bearer', monkey: 1, route: 'creditBalance', at: null };
    log.info(fields, 'seen');
    expect(last()).toMatchObject(fields);
  });

  it('limits the size of a line, even for circular fields', () => {
    const { log, last } = capture();
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    log.info(
      { endless, many: Array.from({ length: 10_000 }, () => 1), long: 'x'.repeat(100_000), bytes: Buffer.alloc(9) },
      'seen',
    );
    expect(JSON.stringify(last()).length).toBeLessThan(10_000);
    expect(last().bytes).toBe('[9 bytes]');
  });
});
