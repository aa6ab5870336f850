import { eventMessage, gapMessage, pingMessage, retryMessage } from './sse-messages.js';

const at = (micros: string) => `2026-01-31T12:00:00.${micros}Z` as const;

describe('a server-sent event', () => {
  it('has the timestamp as id, the type and the envelope in one line', () => {
    const envelope = JSON.stringify({ text: 'two\nlines' });
    expect(eventMessage({ occurredAt: at('000001'), eventType: 'order.closed', envelope })).toBe(
      `id: ${at('000001')}\nevent: order.closed\ndata: {"text":"two\\nlines"}\n\n`,
    );
  });

  it('has no id when it is a ping, a gap or a retry', () => {
    expect(pingMessage(at('000001'))).toBe(`event: ping\ndata: {"ping":true,"timestamp":"${at('000001')}"}\n\n`);
    expect(gapMessage(at('000001'), at('000002'))).toBe(
      `event: gap\ndata: {"from":"${at('000001')}","to":"${at('000002')}"}\n\n`,
    );
    expect(retryMessage(250)).toBe('retry: 250\n\n');
  });
});
