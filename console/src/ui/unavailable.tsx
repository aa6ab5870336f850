/** Names what is missing in an answer that several services make together. */
export function Unavailable({ services }: { readonly services: readonly string[] }) {
  if (services.length === 0) return null;
  return (
    <p className="hf-notice" role="status">
      No answer in time from {services.join(', ')}: what they know is missing here.
    </p>
  );
}
