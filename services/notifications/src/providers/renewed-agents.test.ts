import { Agent } from 'undici';
import { eventually } from '@holdfast/testing/eventually';
import { openWebhookSending, type WebhookSending } from '../testing/webhook-sending.js';
import { renewedAgents } from './renewed-agents.js';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

let sending: WebhookSending;
beforeAll(async () => {
  sending = await openWebhookSending();
});
afterAll(() => sending.close());

describe('an agent that is replaced', () => {
  it('ends the requests in flight, and its idle connections end by themselves', async () => {
    let respond: () => void = () => undefined;
    const receiver = await sending.aReceiver({ onRequest: (socket) => (respond = () => socket.write(ok)) });
    const agents = renewedAgents(() => new Agent({ keepAliveTimeout: 50 }), 0);
    const first = agents.current();
    const response = first.request({ origin: `http://127.0.0.1:${receiver.port}`, path: '/', method: 'POST' });
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    expect(agents.current()).not.toBe(first);
    respond();
    const { statusCode, body } = await response;
    await body.dump();
    expect(statusCode).toBe(200);
    await eventually(() => expect(receiver.openConnections()).toBe(0));
    await agents.destroy();
  });

  it('is destroyed with the sender, also while a request is in flight', async () => {
    const receiver = await sending.aReceiver({});
    const agents = renewedAgents(() => new Agent(), 0);
    const response = agents.current().request({ origin: `http://127.0.0.1:${receiver.port}`, path: '/', method: 'POST' });
    const refused = expect(response).rejects.toThrow('destroyed');
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    agents.current();
    await agents.destroy();
    await refused;
    await eventually(() => expect(receiver.openConnections()).toBe(0));
  });

  it('stays until then', async () => {
    const agents = renewedAgents(() => new Agent(), 60_000);
    expect(agents.current()).toBe(agents.current());
    await agents.destroy();
  });
});
