import { useId, type ReactNode } from 'react';

type SectionProps = {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Without the inner margin, for tables. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
};

/** A titled part of a page. */
export function Section({ title, actions, isFlush = false, children }: SectionProps) {
  const id = useId();
  return (
    <section className="hf-section" aria-labelledby={id}>
      <header className="hf-section-header">
        <h2 id={id}>{title}</h2>
        {actions === undefined ? null : <div className="hf-actions">{actions}</div>}
      </header>
      <div className={isFlush ? 'hf-section-flush' : 'hf-section-body'}>{children}</div>
    </section>
  );
}
