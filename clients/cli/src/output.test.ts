import { textOfList, textOfRecord } from './output.js';

describe('a list for people', () => {
  it('has the named columns, a dash for what is missing, and short cells', () => {
    const text = textOfList(
      [
        { id: 'ord_1', amount: '10.00', note: null },
        { id: 'ord_22', amount: '5.00', note: 'x'.repeat(60) },
      ],
      ['id', 'note'],
    );
    expect(text).toBe(['id      note', `------  ${'-'.repeat(44)}`, 'ord_1   –', `ord_22  ${'x'.repeat(43)}…`].join('\n'));
  });

  it('has the plain fields where no columns are named', () => {
    expect(textOfList([{ id: 'a', nested: { b: 1 }, count: 2n }])).toBe('id  count\n--  -----\na   "2"');
  });

  it('says that there are none', () => {
    expect(textOfList([])).toBe('There are none.');
  });
});

describe('a record for people', () => {
  it('indents what is nested', () => {
    expect(textOfRecord({ id: 'ord_1', escrow: { id: 'esc_1' }, tags: [], note: null })).toBe(
      ['id      ord_1', 'escrow', '  id  esc_1', 'tags    []', 'note    –'].join('\n'),
    );
  });
});
