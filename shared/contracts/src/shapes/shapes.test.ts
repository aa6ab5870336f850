import { amountIn, email, freeText, id, instantIn, metadata, opaqueId, pageQuery, partIn } from './index.js';

function depth(levels: number): unknown {
  return levels === 0 ? 'bottom' : { a: depth(levels - 1) };
}

describe('a timestamp in a request', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000000Z'],
    ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123456Z'],
    ['2026-01-31T12:00:00.5+02:00', '2026-01-31T10:00:00.500000Z'],
    ['2026-01-31T12:00:00.123456789-23:59', '2026-02-01T11:59:00.123456Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000000Z'],
    ['2026-01-31T12:00:00', '2026-01-31T12:00:00.000000Z'],
    ['2026-01-31T12:00', '2026-01-31T12:00:00.000000Z'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000000Z'],
    ['2026-01-31T00:30+02:00', '2026-01-30T22:30:00.000000Z'],
    ['2026-01-31T12:00:00.25', '2026-01-31T12:00:00.250000Z'],
  ])('%s is the instant %s', (given, instant) => {
    expect(instantIn.parse(given)).toBe(instant);
  });

  it.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+23:00',
    '9999-12-31T23:59:59-01:00',
    'yesterday',
    '2026-02-30T00:00:00Z',
    '2026-02-30',
    '2026-01',
    '20260131',
    '2026-01-31Z',
    '2026-01-31T12',
    '2026-01-31T24:00',
    '0000-01-01',
    '',
  ])('is not %s', (given) => {
    expect(instantIn.safeParse(given).success).toBe(false);
  });
});

describe('a page size', () => {
  it.each([
    ['1', 1],
    ['20', 20],
    ['100', 100],
    [undefined, 20],
  ])('may be %j', (given, size) => {
    expect(pageQuery.limit.parse(given)).toBe(size);
  });

  it.each(['0', '-1', '101', '1e1', '5.0', ' 5', '5 ', '+5', '05', '0x10', '５', '1_0', '', 'ten', '99999999999999999999'])(
    'is not %j',
    (given) => {
      expect(pageQuery.limit.safeParse(given).success).toBe(false);
    },
  );
});

describe('a text', () => {
  it('keeps its spaces, but only spaces count as empty', () => {
    expect(freeText(10).parse(' a b ')).toBe(' a b ');
    for (const blank of ['', ' ', '\t\n\u00a0\u3000']) {
      expect(freeText(10).parse(blank)).toBe('');
      expect(freeText(10).min(1).safeParse(blank).success).toBe(false);
    }
  });
});

describe('metadata', () => {
  it.each([{}, { a: null, b: [1, 'x', false], ü: { '': 0 } }, depth(5), { a: 'x'.repeat(16_000) }])('may be %j', (given) => {
    expect(metadata.parse(given)).toEqual(given);
  });

  it.each([
    ['an array', []],
    ['a text', 'x'],
    ['six levels', depth(6)],
    ['six levels of lists', { a: [[[[[1]]]]] }],
    ['more than 16 KiB', { a: 'x'.repeat(16_400) }],
    ['more than 16 KiB in few characters', { a: '💶'.repeat(5_000) }],
    ['NUL', { a: 'a\u0000b' }],
    ['NUL in a name', { 'a\u0000b': 1 }],
    ['half a character', { a: ['\ud800'] }],
    ['a number beyond all limits', { a: JSON.parse('1e999') as unknown }],
  ])('must not be %s', (_, given) => {
    expect(metadata.safeParse(given).success).toBe(false);
  });
});

describe('an e-mail address', () => {
  it.each(['ada@example.com', 'a+b.c@sub.example.org', `${'a'.repeat(242)}@example.com`])('may be %s', (given) => {
    expect(email.safeParse(given).success).toBe(true);
  });

  it.each(['', 'ada', 'ada@', '@example.com', 'a b@example.com', 'a@b', 'a\u0000@example.com', `${'a'.repeat(243)}@example.com`])(
    'is not %j',
    (given) => {
      expect(email.safeParse(given).success).toBe(false);
    },
  );
});

describe('an amount in a request', () => {
  const twoPlaces = 'must be a decimal string with a point and at most two decimal places, such as "12.50"';

  it.each(['25.001', '25,00', '1e3', '+1', ' 1', '01.00', '', 'x', 25, true, ['1']])(
    'of another form or type gets one message: %j',
    (given) => {
      for (const schema of [amountIn(2), partIn]) expect(messagesOf(schema.safeParse(given))).toEqual([twoPlaces]);
      const sevenPlaces = expect.stringContaining('at most two decimal places, or seven in USDC and XLM');
      if (given !== '25.001') expect(messagesOf(amountIn(7).safeParse(given))).toEqual([sevenPlaces]);
    },
  );

  it.each(['0', '0.00'])('must be above zero: %s', (given) => {
    for (const schema of [amountIn(2), amountIn(7)]) expect(messagesOf(schema.safeParse(given))).toEqual(['must be above zero']);
    expect(partIn.safeParse(given).success).toBe(true);
  });
});

describe('a malformed id', () => {
  it('gets a message with its own kind, and with the route that returned it', () => {
    const message = 'must be an id such as usr_…, which POST /users returned';
    for (const given of ['ada', '', 7]) expect(messagesOf(opaqueId('usr').safeParse(given))).toEqual([message]);
    expect(messagesOf(id('usr').safeParse('ada'))).toEqual([message]);
    expect(messagesOf(id('usr', 'POST /auth/register').safeParse('ada'))).toEqual([
      'must be an id such as usr_…, which POST /auth/register returned',
    ]);
    expect(messagesOf(id('evt').safeParse('ada'))).toEqual(['must be an id such as evt_…']);
  });
});

function messagesOf({ error }: { readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined }) {
  return error?.issues.map(({ message }) => message);
}
