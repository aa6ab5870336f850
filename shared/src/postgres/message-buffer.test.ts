import fc from 'fast-check';
import { serialize } from 'pg-protocol';
import { prepareValue } from './driver-connection.js';
import * as messages from './message-buffer.js';

function written(write: (buffer: messages.MessageBuffer) => void): Buffer {
  const buffer = messages.createMessageBuffer();
  write(buffer);
  return messages.writtenIn(buffer);
}

function boundByDriver(statement: string, values: readonly unknown[]): Buffer {
  return serialize.bind({ statement, values: [...values], valueMapper: prepareValue });
}

function bound(statement: string, values: readonly unknown[]): Buffer {
  return written((buffer) => messages.writeBind(buffer, statement, values));
}

const oddValues: Readonly<Record<string, unknown>> = {
  null: null,
  undefined: undefined,
  'no text': '',
  'as many characters as are written one by one': 'x'.repeat(64),
  'one more': 'x'.repeat(65),
  'ASCII with one letter that is not': `${'x'.repeat(63)}é`,
  'letters of two, three and four bytes': 'äöü €€€ 💶💶',
  'half a pair': '\ud800',
  'a long text that is not ASCII': '💶é'.repeat(5_000),
  'a megabyte': 'x'.repeat(1_048_576),
  'no array': [],
  'an array with nulls, quotes and commas': ['a', null, 'b"c\\d', 'e,f', ''],
  'an array of arrays': [
    [1, 2],
    [3, 4],
  ],
  'a bigint': 9_223_372_036_854_775_807n,
  'a number': -1.5,
  'a boolean': true,
  'an object': { a: 1, b: 'zwei', c: null },
  'an object that is nothing in JSON': { toJSON: () => undefined },
  'no bytes': Buffer.alloc(0),
  bytes: Buffer.from([0, 1, 255]),
  'many bytes': Buffer.alloc(100_000, 7),
  'an array of bytes': new Uint8Array([1, 2, 3]),
  'a date': new Date(0),
};

describe('messages to the server', () => {
  it.each(Object.entries(oddValues))('bind %s as the driver does', (_, value) => {
    expect(bound('find', [value]).equals(boundByDriver('find', [value]))).toBe(true);
    expect(bound('', ['before', value, 'after']).equals(boundByDriver('', ['before', value, 'after']))).toBe(true);
  });

  it('bind whatever values in whatever number as the driver does', () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.bigInt(),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.array(fc.option(fc.string({ unit: 'binary' }))),
    );
    fc.assert(
      fc.property(fc.string(), fc.array(value, { maxLength: 40 }), (name, values) => {
        expect(bound(name, values).equals(boundByDriver(name, values))).toBe(true);
      }),
    );
  });

  it('of all kinds follow each other as the driver writes them', () => {
    const text = `select '${'ä'.repeat(2_000)}'`;
    const own = written((buffer) => {
      messages.writeClose(buffer, 'find');
      messages.writeParse(buffer, 'find', text);
      messages.writeBind(buffer, 'find', ['a']);
      messages.writeDescribe(buffer);
      messages.writeExecute(buffer);
      messages.writeSync(buffer);
    });
    const byDriver = [
      serialize.close({ type: 'S', name: 'find' }),
      serialize.parse({ name: 'find', text }),
      boundByDriver('find', ['a']),
      serialize.describe({ type: 'P' }),
      serialize.execute(),
      serialize.sync(),
    ];
    expect(own.equals(Buffer.concat(byDriver))).toBe(true);
  });
});
