import { withTypes } from './with-types.js';

describe('a schema with types', () => {
  it.each([
    [
      'a nullable text',
      { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
      { type: ['string', 'null'], maxLength: 3 },
    ],
    [
      'a nullable choice',
      { anyOf: [{ type: 'string', enum: ['A'] }, { type: 'null' }], description: 'why' },
      { type: ['string', 'null'], enum: ['A', null], description: 'why' },
    ],
    [
      'a nullable reference',
      { anyOf: [{ $ref: '#/x' }, { type: 'null' }] },
      { type: ['object', 'null'], anyOf: [{ $ref: '#/x' }, { type: 'null' }] },
    ],
    ['a union of objects', { oneOf: [{ type: 'object' }] }, { type: 'object', oneOf: [{ type: 'object' }] }],
    ['any value', { type: 'object', additionalProperties: {} }, { type: 'object', additionalProperties: true }],
    ['a text', { type: 'string' }, { type: 'string' }],
  ] as const)('says of %s what it is, also inside of others', (_, schema, typed) => {
    expect(withTypes(schema as never)).toEqual(typed);
    const inside = { type: 'object', properties: { one: schema, many: { type: 'array', items: schema } } };
    expect(withTypes(inside as never)).toEqual({
      type: 'object',
      properties: { one: typed, many: { type: 'array', items: typed } },
    });
  });
});
