import { findWholeRequest } from './whole-request.js';

const line = 'POST /api/v1/users/usr_1/credit?dry=1 HTTP/1.1\r\n';
const host = 'Host: example\r\n';

function find(text: string) {
  return findWholeRequest(Buffer.from(text, 'latin1'));
}

describe('a whole request', () => {
  it('is found with its headers and its body, whatever follows it', () => {
    const text = `${line}${host}Content-Type: application/json\r\nX-A: a: b  c\r\ncontent-length: 2\r\n\r\n{}`;
    const found = find(`${text}GET / HTTP/1.1\r\n`);
    expect(found).toEqual({
      method: 'POST',
      url: '/api/v1/users/usr_1/credit?dry=1',
      headers: { host: 'example', 'content-type': 'application/json', 'x-a': 'a: b  c', 'content-length': '2' },
      rawHeaders: ['Host', 'example', 'Content-Type', 'application/json', 'X-A', 'a: b  c', 'content-length', '2'],
      body: Buffer.from('{}'),
      bytes: text.length,
    });
  });

  it.each([
    ['no body', `GET / HTTP/1.1\r\n${host}\r\n`],
    ['a body of no bytes', `${line}${host}Content-Length: 0\r\n\r\n`],
    ['a connection that is kept', `${line}${host}Connection: Keep-Alive\r\n\r\n`],
  ])('may have %s', (_words, text) => {
    expect(find(text)).toMatchObject({ body: Buffer.alloc(0), bytes: text.length });
  });

  it.each([
    ['a head without its end', `${line}${host}\r\n`.slice(0, -1)],
    ['a body without its end', `${line}${host}Content-Length: 3\r\n\r\n{}`],
    ['another method', `PUT / HTTP/1.1\r\n${host}\r\n`],
    ['a method in small letters', `get / HTTP/1.1\r\n${host}\r\n`],
    ['another version', `GET / HTTP/1.0\r\n${host}\r\n`],
    ['two spaces in its first line', `GET  / HTTP/1.1\r\n${host}\r\n`],
    ['an address instead of a path', `GET http://example/ HTTP/1.1\r\n${host}\r\n`],
    ['a letter in its path that has no place there', `GET /a"b HTTP/1.1\r\n${host}\r\n`],
    ['an empty line in front', `\r\nGET / HTTP/1.1\r\n${host}\r\n`],
    ['no headers', 'GET / HTTP/1.1\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\nX-A: a\r\n\r\n'],
    ['a header twice', `${line}${host}X-A: a\r\nx-a: b\r\n\r\n`],
    ['two lengths', `${line}${host}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`],
    ['a header that is called like what every object has', `${line}${host}constructor: a\r\n\r\n`],
    ['a header with a name that has odd letters', `${line}${host}X_A: a\r\n\r\n`],
    ['a space before a colon', `${line}${host}X-A : a\r\n\r\n`],
    ['no space after a colon', `${line}${host}X-A:a\r\n\r\n`],
    ['more space than needed around a value', `${line}${host}X-A:  a\r\n\r\n`],
    ['space after a value', `${line}${host}Content-Length: 0 \r\n\r\n`],
    ['a tab in a value', `${line}${host}X-A: a\tb\r\n\r\n`],
    ['a header without a value', `${line}${host}X-A: \r\n\r\n`],
    ['a folded header', `${line}${host}X-A: a\r\n b\r\n\r\n`],
    ['a line that ends without a carriage return', `${line}${host}X-A: a\nX-B: b\r\n\r\n`],
    ['a carriage return in a value', `${line}${host}X-A: a\rb\r\n\r\n`],
    ['a NUL in a value', `${line}${host}X-A: a\0b\r\n\r\n`],
    ['a letter beyond ASCII in a value', `${line}${host}X-A: \xe9\r\n\r\n`],
    ['chunks', `${line}${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a length and chunks', `${line}${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an expectation', `${line}${host}Expect: 100-continue\r\nContent-Length: 0\r\n\r\n`],
    ['another protocol in mind', `${line}${host}Upgrade: h2c\r\n\r\n`],
    ['a connection that ends with it', `${line}${host}Connection: close\r\n\r\n`],
    ['headers of its connection alone', `${line}${host}Connection: keep-alive, x-a\r\n\r\n`],
    ['a length with a sign', `${line}${host}Content-Length: +0\r\n\r\n`],
    ['a length with a fraction', `${line}${host}Content-Length: 0.0\r\n\r\n`],
    ['a length in hexadecimal', `${line}${host}Content-Length: 0x0\r\n\r\n`],
    ['a length beyond all bounds', `${line}${host}Content-Length: 1000000000000\r\n\r\n`],
    ['a head that is large', `${line}${host}X-A: ${'a'.repeat(9_000)}\r\n\r\n`],
  ])('is left to Node with %s', (_words, text) => {
    expect(find(text)).toBeUndefined();
  });
});
