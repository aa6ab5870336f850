import { z } from 'zod';
import { applySpelling, spellingOf } from './spelling.js';

const spelling = spellingOf(
  z.strictObject({
    buyerId: z.string(),
    title: z.string().optional(),
    clientOrderRef: z.string().nullable().optional(),
    milestones: z
      .array(z.strictObject({ ref: z.string().meta({ aliases: ['milestoneRef'] }), dueAt: z.string().optional() }))
      .default([]),
    destination: z.union([
      z.strictObject({ type: z.literal('a'), accountRef: z.string() }),
      z.strictObject({ payTo: z.string() }),
    ]),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
);

function spelled(given: unknown): { readonly value: unknown; readonly faults: readonly string[] } {
  const faults: string[] = [];
  return { value: applySpelling(spelling, given, faults), faults };
}

describe('null', () => {
  it('is the same as leaving an optional field out, unless the field declares null as a value', () => {
    expect(spelled({ title: null, client_order_ref: null }).value).toEqual({ clientOrderRef: null });
  });
});

describe('both spellings of a field', () => {
  it('are renamed to the declared name', () => {
    expect(spelled({ buyer_id: 'b', client_order_ref: 'c', title: 't' })).toEqual({
      value: { buyerId: 'b', clientOrderRef: 'c', title: 't' },
      faults: [],
    });
  });

  it('work in arrays, in unions and for declared aliases', () => {
    const given = {
      milestones: [{ milestone_ref: 'm1', due_at: 'd' }, { milestoneRef: 'm2' }, { ref: 'm3' }],
      destination: { account_ref: 'x' },
    };
    expect(spelled(given).value).toEqual({
      milestones: [{ ref: 'm1', dueAt: 'd' }, { ref: 'm2' }, { ref: 'm3' }],
      destination: { accountRef: 'x' },
    });
  });

  it('are not renamed in free-form metadata', () => {
    const given = { metadata: { buyer_id: 1, buyerId: 2 } };
    expect(spelled(given)).toEqual({ value: given, faults: [] });
  });

  it('are a fault when both are sent, at any depth', () => {
    expect(spelled({ buyerId: 'a', buyer_id: 'b' }).faults).toEqual(['buyerId is given twice, as buyerId and as buyer_id']);
    expect(spelled({ milestones: [{ milestone_ref: 'a', ref: 'a' }] }).faults).toEqual([
      'ref is given twice, as milestone_ref and as ref',
    ]);
  });

  it('do not change unknown fields or values that are not objects', () => {
    for (const given of [{ other_field: 1 }, 'text', null, 7, [1, [2]]])
      expect(spelled(given)).toEqual({ value: given, faults: [] });
  });
});
