import fc from 'fast-check';
import { withContractTexts } from './contract-texts.js';

const orderId = 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y';

function textsOf(title: string, description = title, milestoneTitle = title) {
  const milestones = [{ ref: 'draft', title: milestoneTitle, units: 5n }];
  return withContractTexts({ orderId, title, description, milestones } as const);
}

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

describe('the texts of a contract', () => {
  it('stay as they are when every contract version takes them', () => {
    const given = { title: 'T'.repeat(100), description: 'D'.repeat(500), milestone: 'é'.repeat(50) };
    expect(textsOf(given.title, given.description, given.milestone)).toEqual({
      orderId,
      title: given.title,
      description: given.description,
      milestones: [{ ref: 'draft', title: given.milestone, units: 5n }],
    });
  });

  it.each([
    ['T'.repeat(101), 'T'.repeat(100)],
    ['é'.repeat(51), 'é'.repeat(50)],
    [`${'T'.repeat(99)}é`, 'T'.repeat(99)],
    [`${'T'.repeat(97)}🎉`, 'T'.repeat(97)],
    [`${'T'.repeat(96)}🎉🎉`, `${'T'.repeat(96)}🎉`],
    [`${'T'.repeat(99)} end`, 'T'.repeat(99)],
  ])('are cut after whole characters: %s', (given, expected) => {
    const { title, milestones } = textsOf(given);
    expect([title, milestones[0]?.title]).toEqual([expected, expected]);
  });

  it.each([
    ['two\r\nlines', 'two lines'],
    ['\ttab\u0000and\u001bescape\u0085', 'tab and escape'],
    ['half \ud83c of a pair\udf89', 'half   of a pair'],
  ])('have a space instead of unprintable characters: %j', (given, expected) => {
    expect(textsOf(given).description).toBe(expected);
  });

  it.each(['', ' ', '\n\u0000', '\ud83c'])('are the order id when nothing else is left: %j', (given) => {
    expect(textsOf(given)).toMatchObject({ title: orderId, description: orderId, milestones: [{ title: orderId }] });
  });

  it('are valid UTF-8 within their limits, and are not changed a second time', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 700 }),
      fc.string({ unit: 'grapheme', maxLength: 700 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 700 }).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(anyText, anyText, anyText, (...given) => {
        const texts = textsOf(...given);
        const all = [texts.title, texts.description, ...texts.milestones.map(({ title }) => title)];
        for (const text of all) {
          expect(text).not.toMatch(/[\p{Cc}\p{Cs}]/u);
          expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
          expect(text).not.toBe('');
        }
        expect(all.map((text, index) => bytesOf(text) <= (index === 1 ? 500 : 100))).toEqual([true, true, true]);
        expect(withContractTexts(texts)).toEqual(texts);
      }),
    );
  });
});
