import { createAnswerReader } from './answer-reader.js';

type Heard = { status: number; contentType: unknown; text: string; ends: boolean[] };

function reading(method = 'GET') {
  const heard: Heard = { status: 0, contentType: undefined, text: '', ends: [] };
  const reader = createAnswerReader({
    onHead: (status, headers) => Object.assign(heard, { status, contentType: headers['content-type'] }),
    onData: (chunk) => (heard.text += chunk.toString()),
    onEnd: (isReusable) => heard.ends.push(isReusable),
  });
  reader.begin(method);
  return { heard, reader, read: (text: string) => reader.read(Buffer.from(text, 'latin1')) };
}

const json = 'Content-Type: application/json\r\n';
const complete = { status: 200, contentType: 'application/json', text: '{"a":1}', ends: [true] };

const forms = {
  'a length': `HTTP/1.1 200 OK\r\n${json}Content-Length: 7\r\n\r\n{"a":1}`,
  chunks: `HTTP/1.1 200 OK\r\n${json}Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\nX-Late: 1\r\n\r\n`,
  'an announcement in front': `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n${json}Content-Length: 7\r\n\r\n{"a":1}`,
};

describe.each(Object.entries(forms))('an answer with %s', (_form, text) => {
  it('is read in one piece', () => {
    const { heard, read } = reading();
    read(text);
    expect(heard).toEqual(complete);
  });

  it('is read byte by byte', () => {
    const { heard, read } = reading();
    for (const byte of text) read(byte);
    expect(heard).toEqual(complete);
  });

  it('leaves no reusable connection where more follows', () => {
    const { heard, read } = reading();
    read(`${text}HTTP/1.1 200 OK\r\n`);
    expect(heard).toEqual({ ...complete, ends: [false] });
  });
});

describe('the end of an answer', () => {
  it('is that of the connection where nothing else is said', () => {
    const { heard, read, reader } = reading();
    read(`HTTP/1.1 200 OK\r\n${json}\r\n{"a"`);
    read(':1}');
    reader.end();
    expect(heard).toEqual({ ...complete, ends: [false] });
  });

  it.each([
    ['204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['304', 'GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n'],
    ['HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n'],
    ['no bytes', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('comes with its head: %s', (_name, method, text) => {
    const { heard, read } = reading(method);
    read(text);
    expect(heard).toMatchObject({ text: '', ends: [true] });
  });

  it.each([
    ['asked for', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['usual in HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('is the last on its connection where that is %s', (_name, text) => {
    const { heard, read } = reading();
    read(text);
    expect(heard.ends).toEqual([false]);
  });

  it('is an error where the connection ends first', () => {
    const { read, reader } = reading();
    read('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{');
    expect(() => reader.end()).toThrow('closed');
  });
});

it.each([
  ['no HTTP', 'SSH-2.0\r\n\r\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['a header without a name', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n'],
  ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\n'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['an unknown encoding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n'],
  ['a chunk of no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['a chunk that is too long', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc'],
  ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`],
])('%s is refused', (_name, text) => {
  expect(() => reading().read(text)).toThrow();
});

it('bytes that nobody asked for are refused', () => {
  const { read } = reading();
  read('HTTP/1.1 204 No Content\r\n\r\n');
  expect(() => read('HTTP/1.1 200 OK\r\n')).toThrow('more than it was asked for');
});
