import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import type { ServedResponse } from './served.js';
import { dateLines, openWholeResponse } from './whole-response.js';

/** What a receiver gets of an answer that is written like this, as text of bytes. */
async function received(answer: (response: ServedResponse) => void): Promise<string> {
  const server = createServer((socket) => {
    const dateLine = () => 'Date: now\r\n';
    answer(openWholeResponse({ socket, dateLine, onFinished: () => socket.end() }).response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  client.on('data', (chunk) => (text += chunk.toString('latin1')));
  await once(client, 'end');
  server.close();
  return text;
}

const kept = 'Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n';

describe('an answer in one piece', () => {
  it('is its head and its body', async () => {
    const text = await received((response) => {
      response.writeHead(201, ['X-A', 'a', 'Content-Length', '2']);
      response.end('{}');
    });
    expect(text).toBe(`HTTP/1.1 201 Created\r\nX-A: a\r\nContent-Length: 2\r\nDate: now\r\n${kept}\r\n{}`);
  });

  it('gets its length where it has none', async () => {
    const text = await received((response) => {
      response.writeHead(200, []);
      response.end('{"name":"Zoë €"}');
    });
    expect(text).toContain('\r\nContent-Length: 19\r\n');
    expect(Buffer.from(text.slice(text.indexOf('{')), 'latin1').toString()).toBe('{"name":"Zoë €"}');
  });

  it.each([10, 100_000])('leaves %i bytes as they are', async (length) => {
    const body = Buffer.from(Array.from({ length }, (_, index) => index % 256));
    const text = await received((response) => {
      response.writeHead(200, ['Content-Length', String(length)]);
      response.end(body);
    });
    expect(Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1').equals(body)).toBe(true);
  });

  it('has neither length nor body with 204', async () => {
    const text = await received((response) => {
      response.writeHead(204, []);
      response.end();
    });
    expect(text).toBe(`HTTP/1.1 204 No Content\r\nDate: now\r\n${kept}\r\n`);
  });

  it('says that it is the last one', async () => {
    const text = await received((response) => {
      response.writeHead(200, ['Connection', 'close']);
      response.end('x');
    });
    expect(text).toBe('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nDate: now\r\nConnection: close\r\n\r\nx');
  });

  it('ends once', async () => {
    const text = await received((response) => {
      response.writeHead(200, []);
      response.end('x');
      response.end('y');
      expect([response.headersSent, response.writableEnded, response.writableFinished]).toEqual([true, true, true]);
    });
    expect(text.endsWith('\r\n\r\nx')).toBe(true);
  });

  it.each(['a\r\nX-Evil: b', 'a\nb', 'a\0b', 'a€b'])('is not begun with the header %j', async (value) => {
    const text = await received((response) => {
      expect(() => response.writeHead(200, ['X-A', value])).toThrow('cannot be written');
      response.writeHead(500, []);
      response.end();
    });
    expect(text).toMatch(/^HTTP\/1\.1 500 /);
  });
});

describe('an answer in many pieces', () => {
  it('is chunked where its length is unknown', async () => {
    const text = await received((response) => {
      response.writeHead(200, []);
      response.flushHeaders();
      response.write(Buffer.from('first'));
      response.write(Buffer.alloc(0));
      response.end('0123456789');
    });
    expect(text).toContain(
      `\r\nTransfer-Encoding: chunked\r\nDate: now\r\n${kept}\r\n5\r\nfirst\r\na\r\n0123456789\r\n0\r\n\r\n`,
    );
  });

  it('is as it comes where its length is known', async () => {
    const text = await received((response) => {
      response.writeHead(200, ['content-length', '6']);
      response.write(Buffer.from('one'));
      response.end(Buffer.from('two'));
    });
    expect(text).toBe(`HTTP/1.1 200 OK\r\ncontent-length: 6\r\nDate: now\r\n${kept}\r\nonetwo`);
  });
});

describe('the time of an answer', () => {
  it('is told in whole seconds of UTC', () => {
    let nowMs = 1_700_000_000_999;
    const dateLine = dateLines({ epochMs: () => nowMs });
    expect(dateLine()).toBe('Date: Tue, 14 Nov 2023 22:13:20 GMT\r\n');
    nowMs += 1;
    expect(dateLine()).toBe('Date: Tue, 14 Nov 2023 22:13:21 GMT\r\n');
  });
});
