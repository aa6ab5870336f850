import fc from 'fast-check';
import { createStreamParser, type StreamMessage } from './index.js';

function parse(pieces: readonly string[]): { messages: StreamMessage[]; retries: number[] } {
  const [messages, retries]: [StreamMessage[], number[]] = [[], []];
  const take = createStreamParser({ onMessage: (message) => messages.push(message), onRetry: (ms) => retries.push(ms) });
  pieces.forEach(take);
  return { messages, retries };
}

const stream =
  'retry: 250\n\nid: 1\r\nevent: a\r\ndata: {"x": 1}\r\n\r\n: a comment\ndata: one\ndata:two\n\nevent: empty\n\nid: 2\rdata\r\r';

describe('a stream of server-sent events', () => {
  it('is read whatever its line ends, with comments and fields that nobody knows', () => {
    expect(parse([stream, 'x'])).toEqual({
      retries: [250],
      messages: [
        { id: '1', event: 'a', data: '{"x": 1}' },
        { id: undefined, event: 'message', data: 'one\ntwo' },
        { id: '2', event: 'message', data: '' },
      ],
    });
  });

  it('may be cut anywhere', () => {
    const whole = parse([stream, '\n']);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
        const pieces = places.map((place, index) => stream.slice(place, places[index + 1]));
        expect(parse([...pieces, '\n'])).toEqual(whole);
      }),
    );
  });
});
