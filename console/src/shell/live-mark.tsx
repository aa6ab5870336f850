import { useLive, type LiveState } from '../live/live-context.js';

const words: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  away: 'Platform away, trying again …',
};

/** Whether what is on the screen follows the platform. */
export function LiveMark() {
  const { state } = useLive();
  return (
    <span className={`hf-live hf-live-${state}`} role="status">
      <span className="hf-live-dot" aria-hidden="true" />
      <span className="hf-live-words">{words[state]}</span>
    </span>
  );
}
