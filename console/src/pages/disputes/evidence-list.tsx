import type { Dispute } from '@holdfast/sdk';
import { EmptyState } from '../../ui/empty-state.js';
import { OutsideLink } from '../../ui/outside-link.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';

/** What the opener has sent with the dispute, then what both sides have added. */
export function EvidenceList({ dispute }: { readonly dispute: Dispute }) {
  const { evidence, evidenceEntries, openedBy, createdAt } = dispute;
  const first = (evidence ?? []).map((text) => ({ text, url: null, by: openedBy, at: createdAt }));
  const entries = [...first, ...evidenceEntries];
  if (entries.length === 0) return <EmptyState title="No evidence">Both sides can add texts and links.</EmptyState>;
  return (
    <ol className="hf-entries">
      {entries.map(({ text, url, by, at }, index) => (
        <li key={`${at} ${String(index)}`}>
          <p className="hf-hint">
            {wordsOf(by)} · <Time at={at} />
          </p>
          {text === null ? null : (
            <p className="hf-prose">{text.startsWith('https://') ? <OutsideLink address={text} /> : text}</p>
          )}
          {url === null ? null : <OutsideLink address={url} />}
        </li>
      ))}
    </ol>
  );
}
