import { createPeers } from './peers.js';

describe('the peers of a process', () => {
  it('are new once, and known topic by topic', () => {
    const peers = createPeers(() => 0);
    expect(peers.has('saga')).toBe(false);
    expect([peers.note('saga', 'a'), peers.note('saga', 'a'), peers.note('saga', 'b')]).toEqual([true, false, true]);
    expect([peers.has('saga'), peers.has('log')]).toEqual([true, false]);
  });

  it('are forgotten when they have not been heard of for long', () => {
    let nowMs = 0;
    const peers = createPeers(() => nowMs);
    peers.note('saga', 'a');
    nowMs = 30_000;
    peers.note('saga', 'b');
    nowMs = 40_000;
    expect(peers.has('saga')).toBe(true);
    expect(peers.note('saga', 'a')).toBe(true);
    nowMs = 80_000;
    expect(peers.has('saga')).toBe(false);
  });
});
