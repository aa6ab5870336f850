import { createConsoleCodes } from './console-codes.js';

const minuteMs = 60_000;

function someCodes() {
  const time = { ms: 1_700_000_000_000 };
  return { time, codes: createConsoleCodes({ epochMs: () => time.ms }) };
}

describe('a one-time code of the console', () => {
  it('is valid once, and has 32 random bytes', () => {
    const { codes } = someCodes();
    const [first, other] = [codes.issue('first'), codes.issue('first')];
    expect(Buffer.from(first, 'base64url')).toHaveLength(32);
    expect(first).not.toBe(other);
    expect([codes.use(first), codes.use(first), codes.use(other)]).toEqual(['first', undefined, 'first']);
  });

  it('is refused when it was never issued', () => {
    const { codes } = someCodes();
    const code = codes.issue('first');
    expect([codes.use(''), codes.use(`${code}A`), codes.use(code.slice(1))]).toEqual([undefined, undefined, undefined]);
  });

  it('expires: a printed code after ten minutes, a renewed one after twelve hours', () => {
    const { codes, time } = someCodes();
    const [early, late, next] = [codes.issue('first'), codes.issue('first'), codes.issue('next')];
    time.ms += 10 * minuteMs - 1;
    expect(codes.use(early)).toBe('first');
    time.ms += 1;
    expect(codes.use(late)).toBeUndefined();
    time.ms += 710 * minuteMs - 1;
    expect(codes.use(next)).toBe('next');
  });

  it('is valid again when its exchange has failed, until its time', () => {
    const { codes, time } = someCodes();
    const code = codes.issue('first');
    codes.use(code);
    codes.restore(code);
    expect(codes.use(code)).toBe('first');
    time.ms += 10 * minuteMs;
    codes.restore(code);
    expect(codes.use(code)).toBeUndefined();
  });

  it('is forgotten when many newer ones were issued', () => {
    const { codes } = someCodes();
    const code = codes.issue('next');
    for (let issued = 0; issued < 500; issued += 1) codes.issue('next');
    expect(codes.use(code)).toBeUndefined();
  });
});
