import { Holdfast } from './index.js';
import { data, refusal, startScriptedServer, type Responder, type ScriptedServer } from './testing/scripted-server.js';

let server: ScriptedServer;
let holdfast: Holdfast;

beforeEach(async () => {
  server = await startScriptedServer();
  holdfast = new Holdfast({ apiKey: 'hk_1', baseUrl: server.url, retriesMax: 1 });
});
afterEach(() => server.close());

const period = { from: '2026-01-01', to: '2026-02-01' };
const head = 'at,type,amount\r\n';
const closing = 'closing,,\r\n';

const file = (...parts: readonly string[]): Responder => {
  return (_received, response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
    parts.forEach((part) => response.write(part));
    response.end();
  };
};

async function read(): Promise<string> {
  let text = '';
  for await (const part of holdfast.statements.csv('usr_1', period)) text += part;
  return text;
}

describe('the file of a statement', () => {
  it('is read after a refusal that passes, and has every byte', async () => {
    server.reply(refusal(503, 'SERVICE_UNAVAILABLE'), file(head, 'é,CREDIT,1.00\r\n', closing));
    expect(await read()).toBe(`${head}é,CREDIT,1.00\r\n${closing}`);
    expect(server.received[0]).toMatchObject({
      url: '/api/v1/users/usr_1/statements?from=2026-01-01&to=2026-02-01',
      headers: { accept: 'text/csv' },
    });
  });

  it.each([
    ['USER_NOT_FOUND if the platform refuses it', 'USER_NOT_FOUND', refusal(404, 'USER_NOT_FOUND')],
    ['CONNECTION_LOST if the closing line is missing', 'CONNECTION_LOST', file(head, 'x,CREDIT,1.00\r\n')],
    ['INVALID_RESPONSE from another server', 'INVALID_RESPONSE', data({ lines: [] })],
  ])('throws %s', async (_, code, responder) => {
    server.reply(responder);
    await expect(read()).rejects.toMatchObject({ code });
  });
});
