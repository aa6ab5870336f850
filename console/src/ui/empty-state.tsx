import type { ReactNode } from 'react';

type EmptyStateProps = {
  readonly title: string;
  /** What to do next. */
  readonly children: ReactNode;
};

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="hf-empty">
      <strong>{title}</strong>
      <div className="hf-dimmed">{children}</div>
    </div>
  );
}
