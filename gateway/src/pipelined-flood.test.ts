import { connect } from 'node:net';
import { aGateway } from './testing/running-gateway.js';

const request = 'GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n';
const megabyte = request.repeat(25_000);
const handledMax = 20;

describe('7 MB of pipelined requests on one connection', () => {
  it.each([0, 100])('are refused, and other clients are served (RATE_LIMIT_MAX=%d)', async (rateLimitMax) => {
    const gateway = await aGateway({ rateLimitMax });
    const socket = connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    for (let count = 0; count < 7; count += 1) socket.write(megabyte);
    const others = await Promise.all(Array.from({ length: 5 }, () => gateway.send('/api/v1/config')));
    await closed;
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const handled = gateway.log.lines.filter(({ fact, fields }) => fact === 'request completed' && fields['route'] === 'none');
    expect(handled.length).toBeLessThan(handledMax);
    await gateway.stop();
  });
});
