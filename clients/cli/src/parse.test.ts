import { collectList, collectParam, parseCount, parseJson, parseSince, parsesAsUrl } from './parse.js';

const nowMs = Date.parse('2026-11-18T12:00:00Z');

describe('values of options', () => {
  it.each([
    ['30s', '2026-11-18T11:59:30.000Z'],
    ['15m', '2026-11-18T11:45:00.000Z'],
    ['2h', '2026-11-18T10:00:00.000Z'],
    ['7d', '2026-11-11T12:00:00.000Z'],
    ['2026-11-18T09:00:00Z', '2026-11-18T09:00:00.000Z'],
    ['2026-11-18', '2026-11-18T00:00:00.000Z'],
  ])('--since %s is %s', (text, moment) => {
    expect(parseSince(text, nowMs)).toBe(moment);
  });

  it.each(['', '2', '2 h', '-2h', '2w', 'yesterday', '2026-13-40', '12345678h'])('--since "%s" is refused', (text) => {
    expect(() => parseSince(text, nowMs)).toThrow(/30s, 15m, 2h or 7d/);
  });

  it('takes parameters by name, the last one of a name', () => {
    expect(collectParam('note=a=b', collectParam('decision=SPLIT'))).toEqual({ decision: 'SPLIT', note: 'a=b' });
    expect(() => collectParam('=x')).toThrow('name=value');
    expect(() => collectParam('x')).toThrow('name=value');
  });

  it('takes lists with commas and repeated options', () => {
    expect(collectList('c', collectList('a,b,'))).toEqual(['a', 'b', 'c']);
  });

  it('takes whole numbers from 1 on, JSON and addresses', () => {
    expect(parseCount('20')).toBe(20);
    for (const text of ['0', '-1', '1.5', 'x', '']) expect(() => parseCount(text)).toThrow('whole number');
    expect(parseJson('{"a":1}')).toEqual({ a: 1 });
    expect(() => parseJson('{a}')).toThrow('JSON');
    expect(['http://localhost:3000/hooks', 'https://a.example', 'localhost:3000', 'ftp://a', ''].map(parsesAsUrl)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
