type JsonViewProps = { readonly value: unknown; readonly label: string };

/** A value as it travels. It is text, whatever it contains. */
export function JsonView({ value, label }: JsonViewProps) {
  return (
    <pre className="hf-json" tabIndex={0} role="region" aria-label={label}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
